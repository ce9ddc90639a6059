// A voice is about to be put on a watchlist that it is on already, under another name: who that is, and what can be done.
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../api/errors.js';
import { Button } from '../../kit/button.js';
import { fill } from '../../kit/fill.js';
import { Notice } from '../../kit/notice.js';
import { Link } from '../../router.js';
import { t } from '../../text/people.js';

const text = t.listedVoice;

export interface Listed {
  gkId: string;
  name: string;
}

export interface ListedVoice {
  listed: Listed | undefined;
  /** Asked for the first time, the server refuses a voice that is on the list; asked again, it adds the second entry. */
  refuseListedVoice: boolean;
  /** Notices the refusal, and lets everything else through. */
  noticing: <T>(pending: Promise<T>) => Promise<T | undefined>;
  /** Something else is asked for now. */
  forget: () => void;
}

export function useListedVoice(): ListedVoice {
  const [listed, setListed] = useState<Listed>();
  return {
    listed,
    refuseListedVoice: listed === undefined,
    forget: () => setListed(undefined),
    async noticing(pending) {
      try {
        return await pending;
      } catch (thrown) {
        if (!(thrown instanceof ApiError) || !thrown.details.includes('VOICE_ALREADY_LISTED')) throw thrown;
        const { gk_fraudster_id: gkId = '', fraudster_id: name = '' } = thrown.extras;
        setListed({ gkId, name });
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
          <Button size="small" onClick={() => onAddTo(listed)}>
            {text.addTo(name)}
          </Button>
        </div>
      ) : null}
    </Notice>
  );
}
