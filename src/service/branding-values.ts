import { parse as parseYaml } from 'yaml';

/** What the chart's text of the brand says. Anybody may ask for the brand, so the text is read once for each change of it. */
export class BrandingValues {
  #read: { readonly text: string | undefined; readonly values: unknown } | undefined;

  of(text: string | undefined): unknown {
    if (this.#read === undefined || this.#read.text !== text) this.#read = { text, values: valuesIn(text) };
    return this.#read.values;
  }
}

function valuesIn(text: string | undefined): unknown {
  try {
    return text === undefined ? {} : parseYaml(text);
  } catch {
    return { name: 0 };
  }
}
