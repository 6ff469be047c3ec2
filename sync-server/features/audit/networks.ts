/** Every network: where an administrator named a private address knowingly. */
export const everywhere: readonly string[] = ['0.0.0.0/0', '::/0'];
