// GetLivenessPrompt: random digits for the caller to say, kept until they are answered.
import { DAY_MS, type Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openContext, requireNotErased, type RequestContext } from '../call/context.js';
import type { Prompt } from '../model/prompts.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { drawDigits, figuresOf, PROMPT_LANGUAGE } from '../rules/prompted-words.js';

/** For so long, a late or second answer is told why it is refused. */
const KEPT_MS = DAY_MS;

interface IssuedPrompt extends Prompt {
  figures: string;
}

export async function getLivenessPrompt(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext },
): Promise<IssuedPrompt> {
  const opened = await openContext(deps, call, input.context, {
    engagement: 'optional',
    session: 'optional',
    configset: 'mandatory',
  });
  const { gkScopeId, engagement, session, configset, parameters } = opened;
  const { digits, answerSeconds } = parameters.promptedWords;
  const words = drawDigits(digits, (count) => Buffer.from(deps.ids.token(count), 'base64url'));
  const issuedAtMs = deps.clock.now();
  const prompt: Prompt = {
    promptId: deps.ids.uuid(),
    gkScopeId,
    ...(session && { gkSessionId: session.gkSessionId }),
    ...(session?.claimedGkPersonId && { gkPersonId: session.claimedGkPersonId }),
    language: PROMPT_LANGUAGE,
    words: words.join(' '),
    issuedAtMs,
    expiresAtMs: issuedAtMs + answerSeconds * 1000,
  };
  await deps.store.transaction(async (tx) => {
    if (session) await requireNotErased(tx, session);
    await tx.prompts.insert(prompt, issuedAtMs - KEPT_MS);
    // Without the words: whoever reads the trail could answer.
    await audit(tx, call, {
      type: 'TEXT_EVENT',
      operation: 'GetLivenessPrompt',
      gkScopeId,
      ...(engagement && { gkEngagementId: engagement.gkEngagementId }),
      ...(session && { gkSessionId: session.gkSessionId }),
      ...(configset && { configsetId: configset.configsetId }),
      detail: { promptId: prompt.promptId, language: prompt.language, digits, answerSeconds },
    });
  });
  return { ...prompt, figures: figuresOf(words) };
}
