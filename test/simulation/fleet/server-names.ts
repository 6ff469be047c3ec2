/** Where the server is reached. */
export const address = 'https://bench.example';
/** Another name of the same server. */
export const otherAddress = 'https://bench2.example';

export const password = 'a long password';

export interface Account {
  name: string;
  email: string;
  userid: number;
  token: string;
  privileges: string[];
}
