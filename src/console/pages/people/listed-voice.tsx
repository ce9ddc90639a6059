// A voice is about to be put on a watchlist that it is on already, under another name: who that is, and what can be done.
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../api/errors.js';
import { Button } from '../../kit/button.js';
import { fill } from '../../kit/fill.js';
import { Notice } from '../../kit/notice.js';
import { Link } from '../../router.js';
import { t } from '../../text/people.js';

const text = t.listedVoice;

interface Listed {
  gkId: string;
  name: string;
}

interface ListedVoice {
  /**
   * Who is there, where the server has said so when it was asked this. Asked for the first time, it refuses a voice that is on
   * the list; asked the same again, it adds the second entry.
   */
  listed: (asked: string) => Listed | undefined;
  /** Notices the refusal, and lets everything else through. */
  noticing: <T>(asked: string, pending: Promise<T>) => Promise<T | undefined>;
  /** Something else is asked for now. */
  forget: () => void;
}

export function useListedVoice(): ListedVoice {
  const [told, setTold] = useState<{ asked: string; listed: Listed }>();
  return {
    listed: (asked) => (told?.asked === asked ? told.listed : undefined),
    forget: () => setTold(undefined),
    async noticing(asked, pending) {
      try {
        return await pending;
      } catch (thrown) {
        if (!(thrown instanceof ApiError) || !thrown.details.includes('VOICE_ALREADY_LISTED')) throw thrown;
        const { gk_fraudster_id: gkId = '', fraudster_id: name = '' } = thrown.extras;
        setTold({ asked, listed: { gkId, name } });
        return undefined;
      }
    },
  };
}

export function ListedVoiceNotice({
  listed,
  onAddTo,
}: {
  listed: Listed | undefined;
  /** The recordings go to whoever is there. */
  onAddTo?: (listed: Listed) => void;
}): ReactNode {
  if (!listed) return null;
  const { gkId, name } = listed;
  return (
    <Notice tone="warn">
      <strong role="alert">
        {fill(text.title, { fraudster: <Link to={`/people/fraudsters/${gkId}`}>{name}</Link> })}
      </strong>
      <p>{text.hint}</p>
      {onAddTo ? (
        <div>
          <Button kind="primary" size="small" onClick={() => onAddTo(listed)}>
            {text.addTo(name)}
          </Button>
        </div>
      ) : null}
    </Notice>
  );
}
