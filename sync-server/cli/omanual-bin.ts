#!/usr/bin/env node
import { blankProgram, runProgram, processTerminal } from './answers.ts';
import { addOmanualCommands } from './omanual-commands.ts';

// The program of the npm package: commands that work on files only, without native dependencies.
const terminal = processTerminal();
const program = blankProgram(terminal).description('Checks, converts, unpacks and shows archives of guides');
addOmanualCommands(program, terminal, {});
process.exitCode = await runProgram(program, process.argv.slice(2), terminal);
