import type { DeviceFault } from '../plan.ts';
import type { RunContext } from './context.ts';
import type { Losses } from './losses.ts';
import type { Member } from './member.ts';

/** Faults of devices. */
export class DeviceFaults {
  readonly #context: Pick<RunContext, 'record' | 'ledger'>;
  readonly #losses: Losses;

  constructor(context: Pick<RunContext, 'record' | 'ledger'>, losses: Losses) {
    this.#context = context;
    this.#losses = losses;
  }

  async apply(member: Member, fault: DeviceFault, picks: number[]): Promise<void> {
    const { record, ledger } = this.#context;
    const { index } = member;
    if (!this.#losses.note(index, fault)) return;
    record.countFault(index, fault);
    member.connection.onFault(fault);
    record.say(`device ${index}: ${fault}`);
    switch (fault) {
      case 'kill':
        return member.kill();
      case 'offline':
        return member.setOnline(false);
      case 'sleep':
        return member.turn({ do: 'sleep', ms: 60_000 * (1 + (picks[0] ?? 0)) }, 0);
      case 'lose-databases':
      case 'lose-journal':
      case 'flip-journal':
      case 'lose-both':
        ledger.hurt.add(index);
        if ((picks[2] ?? 0) % 2 === 0) await member.kill();
        else await member.close();
        await member.turn({ do: 'fault', fault, picks }, 0, (output) => {
          if (output.state === 'failed') member.broke(fault, output);
        });
        return member.open();
      default:
        ledger.hurt.add(index);
        await member.open();
        await member.turn({ do: 'fault', fault, picks }, 0);
    }
  }
}
