// A voice is about to be put on a watchlist on which it already is, under another name: shows who that is,
// and the options.
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
   * Who is on the list already, if the server refused this request for that reason. The server refuses a
   * listed voice the first time; if the same request is repeated, it adds the second entry.
   */
  listed: (asked: string) => Listed | undefined;
  /** Remembers the refusal, and passes on everything else. */
  noticing: <T>(asked: string, pending: Promise<T>) => Promise<T | undefined>;
  /** Call when the request changes. */
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
  /** Adds the recordings to the existing fraudster instead. */
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
