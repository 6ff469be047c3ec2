#!/usr/bin/env node
import { blankProgram, runProgram } from './answers.ts';
import { addOmanualCommands } from './omanual-commands.ts';
import { processTerminal } from './process.ts';

// The program of the package for others: what works on files alone, with nothing that must be compiled for a machine.
const terminal = processTerminal();
const program = blankProgram(terminal).description('Checks, converts, unpacks and shows archives of guides');
addOmanualCommands(program, terminal, {});
process.exitCode = await runProgram(program, process.argv.slice(2), terminal);
