/** The address of the server. */
export const address = 'https://bench.example';
/** Another address of the same server. */
export const otherAddress = 'https://bench2.example';

export const password = 'a long password';

export interface Account {
  name: string;
  email: string;
  userid: number;
  token: string;
  privileges: string[];
}
