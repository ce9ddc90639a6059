// What deleting a voiceprint or a person leaves: their recordings, for how long, and what deletes these as well.
import type { ReactNode } from 'react';
import { useMe } from '../../api/session.js';
import { Button } from '../../kit/button.js';
import { Allowed } from '../../tenant/allowed.js';
import { t } from '../../text/people.js';

/** `onErase`: for persons, where erasing is the other thing to do. */
export function RecordingsStay({ onErase }: { onErase?: (() => void) | undefined }): ReactNode {
  const { mediaDays } = useMe();
  return (
    <>
      <p>{t.stay.text(mediaDays)}</p>
      {onErase ? (
        <Allowed to="DeletePersonalData">
          <p>{t.stay.erase}</p>
          <p>
            <Button size="small" onClick={onErase}>
              {t.stay.eraseInstead}
            </Button>
          </p>
        </Allowed>
      ) : null}
    </>
  );
}
