// The part of the library that is used; it ships no types.
declare module 'nodemailer' {
  export interface Transporter {
    sendMail(mail: Readonly<Record<string, unknown>>): Promise<unknown>;
    close(): void;
  }
  const nodemailer: { createTransport(options: Readonly<Record<string, unknown>>): Transporter };
  export default nodemailer;
}
