import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, open, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { unzipSync, zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { replaceFile } from '#server/cli/files.ts';
import { filesBeside } from '#server/cli/page-files.ts';
import { runCli } from '#server/cli/program.ts';
import { openArchive } from '#shared/formats/omanual/read.ts';
import { bytesSource } from '#shared/formats/omanual/source.ts';
import { pictureBytes } from '#test/shared/formats/omanual/archives.ts';

const fixtures = fileURLToPath(new URL('../fixtures/omanual/own/', import.meta.url));
const full = join(fixtures, 'full-1.0.omanual');
const program = fileURLToPath(new URL('../../sync-server/cli/benchbook.ts', import.meta.url));

interface Shown {
  guides: { id: number; files: number; steps: number }[];
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'omanual-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function omanual(...args: string[]): Promise<{ code: number; out: string[]; err: string[] }> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(['omanual', ...args], {
    env: {},
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    input: async () => '',
  });
  return { code, out, err };
}

describe('benchbook omanual', () => {
  it('CLI-9 check prints nothing and exits with 0 for a good file, and prints a line per fault and exits with 1 otherwise', async () => {
    expect(await omanual('check', join(fixtures, 'minimal-1.0.omanual'))).toEqual({
      code: 0,
      out: [],
      err: [],
    });
    const bad = join(fixtures, 'reject-zipslip.omanual');
    expect(await omanual('check', full, bad)).toEqual({
      code: 1,
      out: [`${bad}: error name-outside in ../evil.txt: The name "../evil.txt" leads out of the package.`],
      err: [],
    });
    const { code, out } = await omanual('check', bad, '--json');
    expect([code, JSON.parse(out.join('\n'))]).toMatchObject([
      1,
      [{ file: bad, lines: [{ code: 'name-outside' }] }],
    ]);
  });

  it('CLI-9 check goes on after a file with an element of a name that objects have', async () => {
    const odd = join(folder, 'odd.xml');
    const step = '<steps><step number="1"><lines/><__proto__/><constructor/></step></steps>';
    writeFileSync(odd, `<guide xmlns="http://omanual.com/" locale="en">${step}</guide>`);
    const bad = join(fixtures, 'reject-zipslip.omanual');
    const { code, out, err } = await omanual('check', odd, bad);
    expect([code, err]).toEqual([1, []]);
    expect(out.at(0)).toContain(odd);
    expect(out.at(-1)).toContain(`${bad}: error name-outside`);
  });

  it('CLI-9 names and texts of files do not control the terminal', async () => {
    const page = join(folder, 'page.html');
    await writeFile(page, '<h1>a&#27;]0;x&#7;&#x202e;b</h1><p><a href="&#27;[31m/x">c</a></p>');
    const control = join(folder, 'control.omanual');
    await writeFile(control, zipSync({ 'a\u001b[2J\nb': new Uint8Array(1), 'guide.xml': new Uint8Array(1) }));
    const answers = [
      await omanual('convert', page),
      await omanual('show', join(folder, 'page.omanual')),
      await omanual('check', control),
      await omanual('show', control),
    ];
    const text = answers.flatMap(({ out, err }) => [...out, ...err]);
    // oxlint-disable-next-line no-control-regex -- that there are none
    expect(text.filter((line) => /[\u0000-\u001f\u202e]/.test(line))).toEqual([]);
    expect(text.join('\n')).toContain('in a\\u001b[2J\\u000ab: ');
  });

  it('CLI-9 warnings count only with --strict', async () => {
    const file = join(fixtures, 'tolerate-absolute-paths.omanual');
    expect((await omanual('check', file)).code).toBe(0);
    expect((await omanual('check', file, '--strict')).code).toBe(1);
  });

  it('CLI-9 convert writes a valid archive of version 1.0 and overwrites nothing', async () => {
    const old = join(folder, 'old.xml');
    writeFileSync(
      old,
      '<procedure locale="en"><title>T</title><steps><step number="0"><lines><line>x</line></lines></step></steps></procedure>',
    );
    const target = join(folder, 'new.omanual');
    const { code, out } = await omanual('convert', old, target);
    expect([code, out.at(-1)]).toEqual([0, expect.stringContaining('1 guides')]);
    expect(await omanual('check', target)).toMatchObject({ code: 0 });
    expect((await omanual('show', target)).out).toContainEqual(
      expect.stringMatching(/Guide 1 +T +technique +1 steps/),
    );
    const before = readFileSync(target);
    expect((await omanual('convert', full, target)).code).toBe(1);
    expect(readFileSync(target)).toEqual(before);
    expect(readdirSync(folder).sort()).toEqual(['new.omanual', 'old.xml']);
  });

  it('CLI-9 convert keeps numbers, pictures, videos, documents and prerequisites', async () => {
    const target = join(folder, 'new.omanual');
    await omanual('convert', full, target);
    const shown = async (file: string): Promise<Shown> =>
      JSON.parse((await omanual('show', file, '--json')).out.join('\n')) as Shown;
    const [old, made] = [await shown(full), await shown(target)];
    const kept = (one: Shown) => one.guides.map(({ id, steps }) => ({ id, steps }));
    expect(kept(made)).toEqual(kept(old));
    expect(made.guides[0]?.files).toBeGreaterThanOrEqual(8);
    expect(await omanual('check', target)).toEqual({ code: 0, out: [], err: [] });
  });

  it('CLI-9 convert writes an archive as a page and reads it again, with its pictures beside it', async () => {
    const page = join(folder, 'lamp.md');
    const written = await omanual('convert', full, page);
    expect(written.code).toBe(0);
    expect(written.out.join('\n')).toContain('dropped flag in Replacing Sample Lamp Latch guide: ');
    expect(await readFile(page, 'utf8')).toContain('](lamp-pictures/');
    const back = join(folder, 'lamp-again.omanual');
    const read = await omanual('convert', page, back, '--to', 'omanual');
    expect([read.code, read.err]).toEqual([0, []]);
    const archive = await openArchive(bytesSource(Uint8Array.from(await readFile(back))), 'lamp');
    expect(archive.entries.map(({ title }) => title)).toEqual([
      'Replacing Sample Lamp Latch',
      'Removing Sample Lamp Cover',
    ]);
    const { facts, media } = await archive.guide(archive.entries[0]?.member ?? '');
    expect([facts.steps[0]?.lines.length, media.filter(({ member }) => member !== null).length]).toEqual([
      8, 4,
    ]);
    expect((await omanual('convert', page, back)).code).toBe(1);
    const html = join(folder, 'lamp.html');
    expect((await omanual('convert', page, '--to', 'html')).code).toBe(0);
    expect(await readFile(html, 'utf8')).toMatch(/<img src="data:image\/jpeg;base64,/);
  });

  it('CLI-9 convert reads no picture outside of the folder of the page', async () => {
    const inner = join(folder, 'pages');
    await mkdir(inner);
    const picture = Buffer.from(pictureBytes('secret'));
    await writeFile(join(folder, 'secret.png'), picture);
    await symlink(join(folder, 'secret.png'), join(inner, 'link.png'));
    await writeFile(join(inner, 'own.png'), picture);
    await symlink(inner, join(folder, 'back'));
    const outside = ['../secret.png', join(folder, 'secret.png'), 'link.png', '%2e%2e/secret.png'];
    const paths = [...outside, '../back/own.png', 'own.png'];
    const page = join(inner, 'guide.md');
    await writeFile(page, `# Guide\n\n## Step 1\n\n${paths.map((path) => `![](${path})`).join('\n')}\n`);
    const { code, out } = await omanual('convert', page);
    expect([code, out.join('\n').match(/unresolved file-missing/g)?.length]).toEqual([0, 5]);
    expect(out.at(-1)).toContain('1 guides, 1 files.');
  });

  it('CLI-9 convert finds the pictures beside a page that is in the root folder', async () => {
    const picture = join(folder, 'own.png');
    await writeFile(picture, pictureBytes('own'));
    const { root } = parse(folder);
    const found = await filesBeside(root)(relative(root, picture));
    expect(found?.size).toBe(pictureBytes('own').length);
    for (const path of ['..', '.', 'no/such.png', relative(root, folder)])
      expect(await filesBeside(root)(path)).toBeNull();
  });

  it('CLI-9 convert reads a page in UTF-16 or the encoding that it names, and refuses bytes that are no text', async () => {
    const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
    const pages = {
      'utf-16.md': Buffer.from('\ufeff# Öl\r\n\r\nfür\r\n', 'utf16le'),
      'utf-8.md': Buffer.from('\ufeff# Öl\r\n\r\nfür\r\n'),
      'latin.html': latin('<meta charset="windows-1252"><h1>Öl</h1><p>für'),
    };
    for (const [name, bytes] of Object.entries(pages)) {
      const page = join(folder, name);
      await writeFile(page, bytes);
      const target = `${page}.again.md`;
      expect([name, (await omanual('convert', page, target)).code]).toEqual([name, 0]);
      expect(await readFile(target, 'utf8')).toMatch(/^# Öl\n[^]*\nfür\n$/);
    }
    const page = join(folder, 'latin.md');
    await writeFile(page, latin('# Öl\n'));
    const { code, err } = await omanual('convert', page);
    expect([code, err]).toEqual([
      1,
      [`${page} cannot be read as utf-8. Save it in UTF-8 and convert it again.`],
    ]);
    expect(existsSync(join(folder, 'latin.omanual'))).toBe(false);
  });

  it('CLI-9 convert refuses an archive without guides and leaves no file', async () => {
    const empty = join(folder, 'empty.omanual');
    const index =
      '<category xmlns="http://www.omanual.org/category" locale="en"><title>Empty</title></category>';
    writeFileSync(empty, zipSync({ 'category.xml': Buffer.from(index) }));
    expect(await omanual('convert', empty, join(folder, 'new.omanual'))).toEqual({
      code: 1,
      out: [],
      err: ['There is no guide in the archive; nothing was written.'],
    });
    expect(readdirSync(folder)).toEqual(['empty.omanual']);
  });

  it('CLI-14 the command loads neither the server nor a database nor the image library', async () => {
    const hook = `import { registerHooks } from 'node:module';
      registerHooks({ load: (url, context, next) => { console.error(url); return next(url, context); } });`;
    const run = promisify(execFile);
    const loadedBy = async (...args: string[]): Promise<string[]> => {
      const preload = `data:text/javascript,${encodeURIComponent(hook)}`;
      const { stderr } = await run(process.execPath, ['--import', preload, program, ...args]);
      return stderr.split('\n').filter((url) => url !== '');
    };
    const heavy =
      /node_modules\/(?:better-sqlite3|sharp|fastify|kysely|pino|nodemailer)\/|sync-server\/services\.ts/;
    const loaded = await loadedBy('omanual', 'check', full);
    expect(loaded.length).toBeGreaterThan(20);
    expect(loaded.filter((url) => heavy.test(url))).toEqual([]);
    expect((await loadedBy('--help')).some((url) => heavy.test(url))).toBe(true);
  });

  it('CLI-14 convert restarts with a single memory arena on systems that have several', async () => {
    const hook = `process.on('exit', () => console.error('pools', process.env.MALLOC_ARENA_MAX))`;
    const preload = `data:text/javascript,${encodeURIComponent(hook)}`;
    const target = join(folder, 'new.omanual');
    const { MALLOC_ARENA_MAX: _own, ...env } = process.env;
    const { stderr } = await promisify(execFile)(
      process.execPath,
      ['--import', preload, program, 'omanual', 'convert', full, target],
      { env },
    );
    expect(stderr).toBe(`pools ${process.platform === 'linux' ? 1 : undefined}\n`);
    expect((await omanual('check', target)).code).toBe(0);
  });

  it('CLI-9 unpack names files that are not what they claim to be, and exits with 1', async () => {
    const members = unzipSync(readFileSync(full));
    const files = Object.keys(members).filter((member) => !member.endsWith('/'));
    const name = 'false/page.jpg';
    const file = join(folder, 'false.omanual');
    writeFileSync(file, zipSync({ ...members, [name]: Buffer.from('<html><script></script></html>') }));
    const target = join(folder, 'false');
    const { code, out, err } = await omanual('unpack', file, target);
    expect([code, err]).toEqual([1, []]);
    expect(out).toEqual([
      `warning media-type in ${name}: ${name} is no picture, as it claims to be.`,
      `${files.length + 1} files are in ${target}.`,
    ]);
    expect(readFileSync(join(target, name), 'utf8')).toContain('<html>');
  });

  it('CLI-9 unpack creates a new folder with everything in it, or nothing', async () => {
    const target = join(folder, 'out');
    expect((await omanual('unpack', full, target)).code).toBe(0);
    const inside = Object.entries(unzipSync(readFileSync(full))).filter(([name]) => !name.endsWith('/'));
    expect(inside.length).toBeGreaterThan(20);
    for (const [name, content] of inside)
      expect(Uint8Array.from(readFileSync(join(target, name))), name).toEqual(content);
    expect((await omanual('unpack', full, target)).code).toBe(1);
    const refused = await omanual('unpack', join(fixtures, 'reject-zipslip.omanual'), join(folder, 'evil'));
    expect([refused.code, refused.err, existsSync(join(folder, 'evil'))]).toEqual([
      1,
      ['The name "../evil.txt" leads out of the package.'],
      false,
    ]);
  });

  it('CLI-9 a missing file is refused with a clear message', async () => {
    expect(await omanual('show', join(folder, 'none'))).toMatchObject({
      code: 1,
      err: [`${join(folder, 'none')} cannot be read: there is no such file or folder.`],
    });
    const bad = join(fixtures, 'reject-zipslip.omanual');
    const checked = await omanual('check', folder, bad);
    expect([checked.code, checked.out.length, checked.out[0]]).toEqual([
      1,
      2,
      `${folder}: error unreadable: ${folder} is no file.`,
    ]);
  });

  it('CLI-3 a full disk is reported in a sentence, and nothing stays on it', async () => {
    const disk = join(folder, 'disk');
    const file = await open(full);
    const writes = vi
      .spyOn(Object.getPrototypeOf(file) as typeof file, 'writeFile')
      .mockRejectedValue(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' }));
    try {
      expect(await omanual('convert', full, disk)).toEqual({
        code: 1,
        out: [],
        err: [`${disk} cannot be written: the disk is full.`],
      });
    } finally {
      writes.mockRestore();
      await file.close();
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it('CLI-3 the other files of the folder stay, also those named like partial ones', async () => {
    const target = join(folder, 'new.omanual');
    const existing = join(folder, 'page.html');
    for (const name of [target, existing]) writeFileSync(`${name}.part`, 'of the person');
    expect((await omanual('convert', full, target)).code).toBe(0);
    await replaceFile(existing, (sink) => sink.write(new Uint8Array([1])));
    await expect(replaceFile(existing, () => Promise.reject(new Error('of a test')))).rejects.toThrow();
    expect([...readFileSync(existing)]).toEqual([1]);
    for (const name of [target, existing]) expect(readFileSync(`${name}.part`, 'utf8')).toBe('of the person');
    expect(readdirSync(folder)).toHaveLength(4);
  });
});
