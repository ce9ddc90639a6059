// What remains after deleting a voiceprint or a person: the recordings, for how long, and how to delete those
// as well.
import type { ReactNode } from 'react';
import { useMe } from '../../api/session.js';
import { Button } from '../../kit/button.js';
import { Allowed } from '../../tenant/allowed.js';
import { t } from '../../text/people.js';

/**
 * `onErase`: for persons, who can be erased instead. `ofFraudster`: recordings kept only for the voiceprint
 * are deleted with it.
 */
export function RecordingsStay({
  onErase,
  ofFraudster = false,
}: {
  onErase?: (() => void) | undefined;
  ofFraudster?: boolean;
}): ReactNode {
  const { mediaDays } = useMe();
  return (
    <>
      <p>{t.stay.text(mediaDays)}</p>
      {ofFraudster ? <p>{t.stay.keptForPrint}</p> : null}
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
