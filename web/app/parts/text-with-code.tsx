import { Fragment } from 'react';

/** A sentence in which backquotes enclose what is typed as it stands, as the documents write it. */
export function TextWithCode({ text }: { text: string }) {
  return text.split('`').map((piece, index) => {
    const key = index;
    return index % 2 === 1 ? <code key={key}>{piece}</code> : <Fragment key={key}>{piece}</Fragment>;
  });
}
