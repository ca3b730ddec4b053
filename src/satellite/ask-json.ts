import { get } from 'node:http';

const longest = 65_536;

/** Reads JSON from an address inside the cluster. Plain `node:http`, since `fetch` would cost every satellite memory. */
export function askJson(url: string, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = get(url, { signal, headers: { accept: 'application/json' } }, (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        reject(new Error(`the API answered ${response.statusCode}`));
        return;
      }
      let text = '';
      response.setEncoding('utf8');
      response.on('error', reject);
      response.on('data', (piece: string) => {
        text += piece;
        if (text.length > longest) request.destroy(new Error('the answer of the API is too long'));
      });
      response.on('end', () => {
        try {
          resolve(JSON.parse(text));
        } catch (error) {
          reject(error);
        }
      });
    });
    request.on('error', reject);
  });
}
