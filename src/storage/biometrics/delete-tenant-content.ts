// Empties a tenant of everything the voiceprint service keeps in it; used when a tenant is reset or deleted.
import type { Tx } from '../database.js';
import { notePrintChange } from './print-changes.js';

export async function deleteBiometricContent(tx: Tx, gkScopeId: string): Promise<void> {
  await tx
    .deleteFrom('enrollment_segments')
    .where(
      'gk_voiceprint_profile_id',
      'in',
      tx
        .selectFrom('voiceprint_profiles')
        .select('gk_voiceprint_profile_id')
        .where('gk_scope_id', '=', gkScopeId),
    )
    .execute();
  const tables = [
    'engagements',
    'sessions',
    'factors',
    'parties',
    'collections',
    'collection_members',
    'same_persons',
    'voiceprint_profiles',
    'media_segments',
    'evidence_holds',
    'liveness_prompts',
    'voice_ties',
    'asked_persons',
    'erased_persons',
    'former_prints',
    'former_fraudster_prints',
    'processed_audios',
    'call_voices',
    'call_findings',
    'voice_blocks',
    'voice_groups',
    'voice_groupings',
    'configset_revisions',
    'calibration_revisions',
    'jobs',
    'batch_items',
    'shadow_runs',
    'live_handovers',
    'gallery_snapshots',
    'live_outcomes',
    'live_calls',
    'live_requests',
    'live_agent_tokens',
    'session_assessments',
    'session_caveats',
    'unassessed_sessions',
  ] as const;
  for (const table of tables) await tx.deleteFrom(table).where('gk_scope_id', '=', gkScopeId).execute();
  await tx.deleteFrom('print_changes').where('gk_scope_id', '=', gkScopeId).execute();
  // The counter continues, so that no node takes its cached prints for current.
  await notePrintChange(tx, gkScopeId, { kind: 'ALL' });
}
