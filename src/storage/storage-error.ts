// Faults of the storage as a whole, met at start-up or by an operator: a schema newer than the program or too old for it, a
// wrong master key, a damaged blob or backup. The content of a request never causes them; what it causes are
// AppErrors.

type StorageFault =
  | 'SCHEMA_TOO_NEW'
  | 'SCHEMA_TOO_OLD'
  | 'MASTER_KEY_MISSING'
  | 'MASTER_KEY_WRONG'
  | 'MASTER_KEY_UNSAFE'
  | 'KEY_DESTROYED'
  | 'SEAL_BROKEN'
  | 'HOME_NOT_WRITABLE'
  | 'DATABASE_DAMAGED'
  | 'BLOB_DAMAGED'
  | 'BLOB_MISSING'
  | 'BACKUP_DAMAGED'
  | 'BACKUP_NOT_WRITTEN'
  | 'NOT_EMPTY'
  | 'RESTORE_UNFINISHED'
  | 'MISUSE';

export class StorageError extends Error {
  readonly fault: StorageFault;
  override readonly name = 'StorageError';

  constructor(fault: StorageFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.fault = fault;
  }
}
