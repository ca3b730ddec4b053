/** Of a code that is mailed. Apart from the schemas, which the web app does not load. */
export const codeDigits = 8;
