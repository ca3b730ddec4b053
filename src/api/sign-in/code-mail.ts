import type { Mail } from '../../ports/mailer.ts';
import type { IssuedCode } from './one-time-codes.ts';

export interface CodeMailInput extends IssuedCode {
  readonly to: string;
  readonly clusterName: string;
  readonly externalUrl: string;
}

/** The link's token is in the fragment: it reaches no server log and no referrer, and opening the page spends nothing. */
export function codeMail({ to, code, link, clusterName, externalUrl }: CodeMailInput): Mail {
  const url = `${externalUrl.replace(/\/+$/, '')}/#/sign-in?link=${link}`;
  const lines = [
    `Your code to sign in to ${clusterName}: ${code}`,
    'It is good for 10 minutes and for one use.',
    'Or open this link in the browser in which you asked for the code:',
  ];
  const ignore = 'If you did not ask for it, ignore this mail: without the code nothing happens.';
  return {
    to,
    subject: `Sign in to ${oneLine(clusterName)}`,
    text: [...lines, url, '', ignore, ''].join('\n'),
    html: [
      `<p>Your code to sign in to ${escaped(clusterName)}:</p>`,
      `<p style="font-size:28px;letter-spacing:4px;font-family:monospace"><b>${code}</b></p>`,
      `<p>${lines[1]}</p>`,
      `<p>${lines[2]}<br><a href="${escaped(url)}">Sign in to ${escaped(clusterName)}</a></p>`,
      `<p>${ignore}</p>`,
    ].join('\n'),
  };
}

export function passkeyAddedMail(to: string, clusterName: string, name: string): Mail {
  return {
    to,
    subject: `A passkey was added to your account on ${oneLine(clusterName)}`,
    text: [
      `The passkey ${JSON.stringify(name)} can sign you in to ${clusterName} from now on.`,
      'If it was not you who added it, remove it in your account and tell an admin.',
      '',
    ].join('\n'),
  };
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
