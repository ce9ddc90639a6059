// Where the master key comes from: a file in the home directory that only its owner can read, or a value in
// the configuration. Only the file source can create a key and replace it.
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { StorageError } from '../storage-error.js';
import { KEY_BYTES, keyId } from './cipher.js';

export interface MasterKey {
  id: string;
  bytes: Uint8Array;
}

export interface MasterKeySource {
  /** Where an operator would look for it. */
  readonly description: string;
  /** The key with this id, or whichever exists if no id is given. */
  load(id?: string): MasterKey | undefined;
  /** Creates and stores the first key; absent in sources that only hand over a key. */
  create?(): MasterKey;
  /** Stores a key from elsewhere if there is none yet; returns how to remove it again. */
  install?(key: MasterKey): () => void;
  /** Stores the next key beside the current one until `adopt`, so that a crash in between loses neither. */
  prepareNext?(): MasterKey;
  adopt?(next: MasterKey): void;
}

export function masterKeyFrom(bytes: Uint8Array): MasterKey {
  return { id: keyId(bytes), bytes };
}

/** Base64 or base64url of exactly 32 bytes. */
function parseMasterKey(text: string, where: string): MasterKey {
  const bytes = new Uint8Array(Buffer.from(text.trim(), 'base64'));
  if (bytes.byteLength !== KEY_BYTES || !/^[A-Za-z0-9+/_-]+=*$/.test(text.trim())) {
    throw new StorageError('MASTER_KEY_WRONG', `${where} must hold ${KEY_BYTES} bytes as base64`);
  }
  return masterKeyFrom(bytes);
}

export function newMasterKey(): MasterKey {
  return masterKeyFrom(new Uint8Array(randomBytes(KEY_BYTES)));
}

/**
 * The operator keeps the key elsewhere and passes it in at start. Around a rotation there may be several,
 * separated by commas: the database says which of them is in force, and nodes go on serving when that
 * changes.
 */
export function givenMasterKey(text: string, where: string): MasterKeySource {
  const keys = text.split(',').map((each) => parseMasterKey(each, where));
  return {
    description: where,
    load: (id) => (id === undefined ? keys[0] : keys.find((key) => key.id === id)),
  };
}

export function fileMasterKey(path: string): MasterKeySource {
  const nextPath = `${path}.next`;
  const adopt = (): void => {
    renameSync(nextPath, path);
    syncFolder(path);
  };
  return {
    description: path,
    load(id) {
      const current = readKeyFile(path);
      if (id === undefined || current?.id === id) return current;
      // Finishes a rotation that was interrupted between its commit and this rename.
      const next = readKeyFile(nextPath);
      if (next?.id !== id) return undefined;
      adopt();
      return next;
    },
    create() {
      const key = newMasterKey();
      writeKeyFile(path, key);
      return key;
    },
    install(key) {
      if (readKeyFile(path) !== undefined) return () => {};
      writeKeyFile(path, key);
      return () => rmSync(path, { force: true });
    },
    prepareNext() {
      rmSync(nextPath, { force: true });
      const key = newMasterKey();
      writeKeyFile(nextPath, key);
      return key;
    },
    adopt,
  };
}

/** Reads a key file, made by an operator or by us; refuses one that others can read. */
export function readKeyFile(path: string): MasterKey | undefined {
  let mode: number;
  try {
    mode = statSync(path).mode;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if ((mode & 0o077) !== 0) {
    throw new StorageError(
      'MASTER_KEY_UNSAFE',
      `${path} can be read by others (mode ${(mode & 0o777).toString(8)}): chmod 600 it, and rotate the key if it leaked`,
    );
  }
  return parseMasterKey(readFileSync(path, 'utf8'), path);
}

function writeKeyFile(path: string, key: MasterKey): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.tmp-${process.pid}`;
  rmSync(temporary, { force: true });
  const file = openSync(temporary, 'wx', 0o600);
  try {
    chmodSync(temporary, 0o600);
    writeSync(file, `${Buffer.from(key.bytes).toString('base64')}\n`);
    fsyncSync(file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  syncFolder(path);
}

/** A rename is durable only when the folder is. */
function syncFolder(path: string): void {
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
