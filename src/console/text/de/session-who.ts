// Deutsch: wer angerufen hat, soweit die Prüfungen einer Sitzung es sagen können.
import type { who as en } from '../en/session-who.js';

const whoClaimed = (claimed: string): string =>
  claimed ? `${claimed} (angegeben)` : 'der angegebenen Person';

export const who: typeof en = {
  claimed: whoClaimed,
  erased: 'einer Person, deren Daten gelöscht wurden',
  anybodyInGroup: 'jemandem in der Gruppe',
  unlike: {
    title: (other: string, claimed: string) =>
      `Die Stimme passt nicht zu ${whoClaimed(claimed)}, aber zu ${other || 'jemand anderem'}`,
    next: 'Handeln Sie nicht für die angegebene Person. Fragen Sie, wer anruft und warum, und verifizieren Sie diese Person.',
    nextOver:
      'Angerufen hat nicht die angegebene Person. Stellen Sie fest, wer angerufen hat, und halten Sie den Ausgang fest.',
    nextJudged: 'Angerufen hat nicht die angegebene Person.',
  },
  both: {
    title: (other: string, claimed: string) =>
      `Die Stimme passt zu ${whoClaimed(claimed)}, und auch zu ${other || 'jemand anderem'}`,
    inRecordings: (matches: readonly (readonly [string, string])[], claimed: string) =>
      matches
        .map(
          ([recording, whom]) =>
            `${recording} passt zu ${claimed && whom === claimed ? whoClaimed(claimed) : whom}`,
        )
        .join('; '),
    next: 'Verlassen Sie sich nicht auf die Übereinstimmung: Vielleicht hat mehr als eine Person gesprochen. Hören Sie die Aufnahmen an, und fragen Sie, wer anruft.',
    nextUnkept:
      'Verlassen Sie sich nicht auf die Übereinstimmung: Vielleicht hat mehr als eine Person gesprochen. Fragen Sie, wer anruft, und verifizieren Sie diese Person noch einmal.',
    nextOver:
      'Verlassen Sie sich nicht auf die Übereinstimmung: Vielleicht hat mehr als eine Person gesprochen. Stellen Sie fest, wer angerufen hat, und halten Sie den Ausgang fest.',
    nextJudged:
      'Verlassen Sie sich nicht auf die Übereinstimmung: Vielleicht hat mehr als eine Person gesprochen.',
  },
  several: (names: string) => `Die Stimme passt zu mehr als einer Person: ${names}`,
  unsure: (other: string, claimed: string) =>
    `Die Stimme passt zu ${other || 'jemand anderem'}; ob sie zu ${whoClaimed(claimed)} passt, ließ sich nicht sagen`,
  other: {
    title: (compared: string, claimed: string) =>
      `Die Stimme passt zum Stimmabdruck von ${compared || 'jemand anderem'}, angegeben war ${claimed || 'eine andere Person'}`,
    next: 'Verlassen Sie sich nicht auf die Übereinstimmung: Über die angegebene Person sagt sie nichts. Fragen Sie, wer anruft, und verifizieren Sie diese Person.',
    nextUnkept:
      'Verlassen Sie sich nicht auf die Übereinstimmung: Über die angegebene Person sagt sie nichts. Fragen Sie, wer anruft, und verifizieren Sie diese Person.',
    nextOver:
      'Verlassen Sie sich nicht auf die Übereinstimmung: Über die angegebene Person sagt sie nichts. Stellen Sie fest, wer angerufen hat, und halten Sie den Ausgang fest.',
    nextJudged:
      'Verlassen Sie sich nicht auf die Übereinstimmung: Über die angegebene Person sagt sie nichts.',
  },
  compared: (compared: string, claimed: string) =>
    `Verglichen wurde mit der Stimme von ${compared || 'jemand anderem'}, angegeben war ${claimed || 'eine andere Person'}.`,
  alsoMatch: {
    title: (whom: string, not: string) =>
      `Die Stimme passt zu ${whom}, aber nicht ${not ? `zu ${not}` : 'in jedem Vergleich'}`,
    next: 'Es entscheidet der Vergleich mit der meisten Sprache, deshalb lautet das Ergebnis der Sitzung „Keine Übereinstimmung“. Verifizieren Sie den Anrufer noch einmal, bevor Sie handeln, oder stellen Sie auf anderem Weg fest, wer es ist.',
    nextOver:
      'Es entscheidet der Vergleich mit der meisten Sprache, deshalb lautet das Ergebnis der Sitzung „Keine Übereinstimmung“. Unten steht, welcher Vergleich was sagt. Halten Sie den Ausgang fest.',
    nextJudged:
      'Es entscheidet der Vergleich mit der meisten Sprache, deshalb lautet das Ergebnis der Sitzung „Keine Übereinstimmung“. Unten steht, welcher Vergleich was sagt.',
  },
  matchesHere: (whom: string) => `In dieser Sitzung passt die Stimme zu ${whom}.`,
  othersAlone: {
    title: (not: string, claimed: string) =>
      `Die Stimme passt nicht zu ${not}; mit ${whoClaimed(claimed)} wurde nicht verglichen`,
    inGroup: (claimed: string) =>
      `Die Stimme passt zu niemandem in der Gruppe; mit ${whoClaimed(claimed)} wurde nicht verglichen`,
    next: 'Über die angegebene Person sagt das nichts. Vergleichen Sie die Stimme mit deren Stimmabdruck, bevor Sie den Anrufer abweisen.',
    nextOver:
      'Über die angegebene Person sagt das nichts: Mit deren Stimmabdruck wurde die Stimme nie verglichen.',
  },
  undecided: {
    title: (not: string, claimed: string) =>
      `Die Stimme passt nicht zu ${not}; ob sie zu ${whoClaimed(claimed)} passt, ließ sich nicht sagen`,
    inGroup: (claimed: string) =>
      `Die Stimme passt zu niemandem, mit dem sie verglichen wurde; ob sie zu ${whoClaimed(claimed)} passt, ließ sich nicht sagen`,
    next: 'Vergleichen Sie die Stimme mit dem Stimmabdruck der angegebenen Person, bevor Sie den Anrufer abweisen.',
    nextOver:
      'Mit dem Stimmabdruck der angegebenen Person wurde die Stimme gar nicht oder mit zu wenig Sprache verglichen.',
  },
  goneClaim:
    'Die Daten der angegebenen Person wurden gelöscht: Mit ihrer Stimme lässt sich nicht mehr vergleichen.',
  erasedClaim: {
    title:
      'Die Stimme passt zu einer Person, deren Daten gelöscht wurden; ob das die angegebene Person ist, lässt sich nicht mehr sagen',
    next: 'Verlassen Sie sich nicht auf die Übereinstimmung.',
  },
  nobodyInGroup: {
    title: 'Die Stimme passt zu niemandem in der Gruppe',
    next: 'Behandeln Sie den Anrufer als nicht verifiziert. Wer nicht in der Gruppe ist oder keinen nutzbaren Stimmabdruck hat, wurde nicht verglichen.',
  },
  agentAlone: {
    title: (claimed: string | undefined) =>
      claimed === undefined
        ? 'Entschieden hat der Kanal des Agenten; wer der Anrufer ist, ist nicht bekannt'
        : `Entschieden hat der Kanal des Agenten; ob der Anrufer ${claimed || 'die angegebene Person'} ist, ist nicht bekannt`,
    next: 'Was gefunden wurde, sagt nichts über den Anrufer. Vergleichen Sie den Kanal, auf dem der Anrufer spricht.',
    nextUnkept:
      'Was gefunden wurde, sagt nichts über den Anrufer. Stellen Sie auf anderem Weg fest, wer es ist.',
  },
};
