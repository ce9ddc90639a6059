// Archives that are the same bytes whenever and wherever they are made: sorted, of nobody, of the time of the release.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** Runs a program to its end and answers what it printed. */
export function told(command, args, options = {}) {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    maxBuffer: 256 * 1024 * 1024,
    ...options,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed\n${stderr}`);
  return stdout.toString();
}

/** `names` of `folder`, below `prefix` in the archive. */
export function tar(
  target,
  folder,
  names,
  { seconds, prefix = '', owner = 0, mode = 'u=rwX,go=rX', append = false },
) {
  const rename = prefix === '' ? [] : [`--transform=flags=r;s,^,${prefix}/,`];
  told('tar', [
    ...(append ? ['--append'] : ['--create', '--sort=name']),
    ...['--format=ustar', '--numeric-owner', `--owner=${owner}`, `--group=${owner}`],
    ...[`--mode=${mode}`, `--mtime=@${seconds}`, ...rename, `--file=${target}`, '-C', folder, '--', ...names],
  ]);
}

export function gzip(file, target) {
  writeFileSync(target, gzipSync(readFileSync(file), { level: 9 }));
}
