// The schema's history, oldest first. A released step is never edited; a change is a new step at the end.
import { core } from './0001-core.js';
import { auth } from './0002-auth.js';
import { engagement } from './0003-engagement.js';
import { events } from './0004-events.js';
import { biometrics } from './0005-biometrics.js';
import { shadowRuns } from './0006-shadow-runs.js';
import { printChanges } from './0007-print-changes.js';
import { mediaByBlob } from './0008-media-by-blob.js';
import { voiceTies } from './0009-voice-ties.js';
import { roles } from './0010-roles.js';
import { sharedRates } from './0011-shared-rates.js';
import { sealedTexts } from './0012-sealed-texts.js';
import { configsetOfPrint } from './0013-configset-of-print.js';
import { identities } from './0014-identities.js';
import { secondFactors } from './0015-second-factors.js';
import { listIndexes } from './0016-list-indexes.js';
import { passkeys } from './0017-passkeys.js';
import { clientCertificates } from './0018-client-certificates.js';
import { providerSessions } from './0019-provider-sessions.js';
import { keptAnswers } from './0020-kept-answers.js';
import { searchIndexes } from './0021-search-indexes.js';
import { liveHandovers } from './0022-live-handovers.js';
import { tiesOfVerify } from './0023-ties-of-verify.js';
import { idTokens } from './0024-id-tokens.js';
import { gallerySnapshots } from './0025-gallery-snapshots.js';
import { fingerprints } from './0026-fingerprints.js';
import { tenantOfSite } from './0027-tenant-of-site.js';
import { liveOutcomes } from './0028-live-outcomes.js';
import { tiesOfSessions } from './0029-ties-of-sessions.js';
import { webhooks } from './0030-webhooks.js';
import { callVoices } from './0031-call-voices.js';
import { batches } from './0032-batches.js';
import { voiceBlocks } from './0033-voice-blocks.js';
import { batchReasons } from './0034-batch-reasons.js';
import { liveOnManyNodes } from './0035-live-on-many-nodes.js';
import { erasedTraces } from './0036-erased-traces.js';
import { notedEngagements } from './0037-noted-engagements.js';
import { printsByCalibration } from './0038-prints-by-calibration.js';
import { voiceGroups } from './0039-voice-groups.js';
import { askedPersons } from './0040-asked-persons.js';
import { sealedDescriptions } from './0041-sealed-descriptions.js';
import { namesOfAnswers } from './0042-names-of-answers.js';
import { failedSignIns } from './0043-failed-sign-ins.js';
import { callFindings } from './0044-call-findings.js';
import { cutOffCalls } from './0045-cut-off-calls.js';
import { samePersons } from './0046-same-persons.js';
import { endedShadowRuns } from './0047-ended-shadow-runs.js';
import { openChecks } from './0048-open-checks.js';
import { orderOfIdentifiers } from './0049-order-of-identifiers.js';
import { mismatches } from './0050-mismatches.js';
import { uncheckedMatches } from './0051-unchecked-matches.js';
import { nobodyCompared } from './0052-nobody-compared.js';
import { openLists } from './0053-open-lists.js';
import { checksByRecording } from './0054-checks-by-recording.js';
import { keptMarks } from './0055-kept-marks.js';
import { storedMarks } from './0056-stored-marks.js';
import { marksOfMixedChannels } from './0057-marks-of-mixed-channels.js';
import { marksOfClaims } from './0058-marks-of-claims.js';
import { printsOfFraudsters } from './0059-prints-of-fraudsters.js';
import { formerPrintsOfFraudsters } from './0060-former-prints-of-fraudsters.js';
import { marksOfErasedCarried } from './0061-marks-of-erased-carried.js';
import type { Migration } from './migration.js';

export const migrations: readonly Migration[] = [
  core,
  auth,
  engagement,
  events,
  biometrics,
  shadowRuns,
  printChanges,
  mediaByBlob,
  voiceTies,
  roles,
  sharedRates,
  sealedTexts,
  configsetOfPrint,
  identities,
  secondFactors,
  listIndexes,
  passkeys,
  clientCertificates,
  providerSessions,
  keptAnswers,
  searchIndexes,
  liveHandovers,
  tiesOfVerify,
  idTokens,
  gallerySnapshots,
  fingerprints,
  tenantOfSite,
  liveOutcomes,
  tiesOfSessions,
  webhooks,
  callVoices,
  batches,
  voiceBlocks,
  batchReasons,
  liveOnManyNodes,
  erasedTraces,
  notedEngagements,
  printsByCalibration,
  voiceGroups,
  askedPersons,
  sealedDescriptions,
  namesOfAnswers,
  failedSignIns,
  callFindings,
  cutOffCalls,
  samePersons,
  endedShadowRuns,
  openChecks,
  orderOfIdentifiers,
  mismatches,
  uncheckedMatches,
  nobodyCompared,
  openLists,
  checksByRecording,
  keptMarks,
  storedMarks,
  marksOfMixedChannels,
  marksOfClaims,
  printsOfFraudsters,
  formerPrintsOfFraudsters,
  marksOfErasedCarried,
];
