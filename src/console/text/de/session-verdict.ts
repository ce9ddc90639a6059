// Deutsch: was eine Sitzung nach allen Prüfungen zusammen ergeben hat, und was zu tun ist.
import type { verdict as en } from '../en/session-verdict.js';
import { num } from '../tools.js';
import { who } from './session-who.js';

const ofClaimed = (claimed: string): string =>
  claimed ? `von ${claimed} (angegeben)` : 'der angegebenen Person';

export const verdict: typeof en = {
  refused: {
    title: 'Die Verifizierung wurde abgelehnt, weil der Stimmabdruck gesperrt ist',
    next: 'Die Stimme wurde nicht verglichen. Hören Sie die Aufnahme an, und entsperren Sie den Stimmabdruck erst, wenn die Person, der er gehört, den Anruf bestätigt hat.',
    nextUnheard:
      'Die Stimme wurde nicht verglichen. Bitten Sie einen Betrugsanalysten, die Aufnahme anzuhören: Der Stimmabdruck sollte erst entsperrt werden, wenn die Person, der er gehört, den Anruf bestätigt hat.',
  },
  erased: {
    title: 'Die personenbezogenen Daten dieses Anrufs wurden gelöscht',
    next: 'Wer angerufen hat und welche Werte die Prüfungen ergeben haben, ist nicht mehr bekannt. Die Entscheidungen unten bleiben nur als Nachweis erhalten.',
  },
  enrolledSince:
    'Seither wurde diese Stimme als die eines Betrügers registriert: Verlassen Sie sich nicht auf die Übereinstimmung.',
  judgedGenuine: 'Danach wurde der Ausgang Echt festgehalten: Es gilt als Fehlalarm.',
  judgedFraud: {
    title: 'Als Ausgang wurde Betrug festgehalten',
    next: (said: string) => `Nach den Prüfungen allein: ${said}. Verlassen Sie sich nicht darauf.`,
  },
  notChecked: {
    title: 'Die Stimme passt, aber auf Angriffe wurde nicht geprüft',
    ofSome: (open, all) =>
      `Die Stimme passt, aber ${num(open)} von ${num(all)} Aufnahmen ${open === 1 ? 'wurde' : 'wurden'} nicht auf Angriffe geprüft`,
    next: 'Ob ein Mensch live gesprochen hat, ist nicht bekannt. Prüfen Sie die Aufnahme auf Angriffe, bevor Sie sich auf die Übereinstimmung verlassen.',
    nextUnheard:
      'Ob ein Mensch live gesprochen hat, ist nicht bekannt, und Ihre Rolle darf die Aufnahme nicht prüfen. Bitten Sie einen Betrugsanalysten, sie auf Angriffe zu prüfen.',
    nextUnkept:
      'Ob ein Mensch live gesprochen hat, ist nicht bekannt, und es gibt keine Aufnahme, die man prüfen könnte. Stellen Sie auf anderem Weg fest, wer es war.',
  },
  clearNotChecked: {
    title: 'Kein bekannter Betrüger wurde erkannt, aber auf Angriffe wurde nicht geprüft',
    ofSome: (open, all) =>
      `Kein bekannter Betrüger wurde erkannt, aber ${num(open)} von ${num(all)} Aufnahmen ${open === 1 ? 'wurde' : 'wurden'} nicht auf Angriffe geprüft`,
    next: 'Ob ein Mensch live gesprochen hat, ist nicht bekannt. Prüfen Sie die Aufnahme auf Angriffe, bevor Sie sich darauf verlassen.',
    nextUnheard:
      'Ob ein Mensch live gesprochen hat, ist nicht bekannt, und Ihre Rolle darf die Aufnahme nicht prüfen. Bitten Sie einen Betrugsanalysten, sie auf Angriffe zu prüfen.',
    nextUnkept:
      'Ob ein Mensch live gesprochen hat, ist nicht bekannt, und es gibt keine Aufnahme, die man prüfen könnte. Stellen Sie auf anderem Weg fest, wer es war.',
  },
  checkUncertain: {
    title: 'Die Stimme passt, aber eine Angriffsprüfung konnte nicht entscheiden',
    next: 'Ob ein Mensch live gesprochen hat, ist nicht bekannt. Hören Sie die Aufnahme an, und stellen Sie auf anderem Weg fest, wer es ist.',
    nextUnkept:
      'Ob ein Mensch live gesprochen hat, ist nicht bekannt. Stellen Sie auf anderem Weg fest, wer es ist.',
  },
  mismatch: {
    inRecordings: (recordings: string) => `Die Stimme passt, aber nicht in ${recordings}`,
    sinceThen: 'Die Stimme passte anfangs und passt nicht mehr',
    otherPrint:
      'Die Stimme passt zu einem Stimmabdruck, aber nicht zu einem anderen, mit dem sie verglichen wurde',
    next: 'Vielleicht hat mehr als eine Person gesprochen. Hören Sie die Aufnahmen an, und stellen Sie auf anderem Weg fest, wer es ist.',
    nextUnkept:
      'Vielleicht hat mehr als eine Person gesprochen. Stellen Sie auf anderem Weg fest, wer es ist.',
  },
  secondVoice: {
    afterMatch: (from: string) =>
      `In einem Teil des Anrufs spricht jemand anderes, etwa ab ${from}, nachdem die Stimme gepasst hatte`,
    inPart: (from: string) => `In einem Teil des Anrufs spricht jemand anderes, etwa ab ${from}`,
    next: 'Verlassen Sie sich nicht auf die Übereinstimmung. Hören Sie die Aufnahme an, und stellen Sie auf anderem Weg fest, wer es ist.',
    nextUnkept:
      'Verlassen Sie sich nicht auf die Übereinstimmung. Stellen Sie auf anderem Weg fest, wer es ist.',
  },
  listUncertain: {
    title: 'Die Stimme passt, aber eine Prüfung gegen eine Beobachtungsliste konnte nicht entscheiden',
    next: 'Ob ein bekannter Betrüger gesprochen hat, ist nicht bekannt. Hören Sie die Aufnahme an, und prüfen Sie sie erneut gegen die Beobachtungsliste.',
    nextUnheard:
      'Ob ein bekannter Betrüger gesprochen hat, ist nicht bekannt. Bitten Sie einen Betrugsanalysten, den Anruf erneut gegen die Beobachtungsliste zu prüfen.',
    nextUnkept:
      'Ob ein bekannter Betrüger gesprochen hat, ist nicht bekannt. Stellen Sie auf anderem Weg fest, wer es ist.',
  },
  matchOfNobody: {
    title: 'Die Stimme passt, aber niemand auf der Beobachtungsliste hatte einen trainierten Stimmabdruck',
    next: 'Ob ein bekannter Betrüger gesprochen hat, ist nicht bekannt. Setzen Sie Betrüger mit trainiertem Stimmabdruck auf die Beobachtungsliste, und prüfen Sie die Aufnahme erneut.',
    nextUnkept:
      'Ob ein bekannter Betrüger gesprochen hat, ist nicht bekannt. Setzen Sie vor der nächsten Prüfung Betrüger mit trainiertem Stimmabdruck auf die Beobachtungsliste.',
  },
  matchOfSome: {
    title:
      'Die Stimme passt, aber auf einer der Beobachtungslisten hatte niemand einen trainierten Stimmabdruck',
    next: 'Welche es ist, steht bei den Prüfungen unten. Auf den anderen wurde die Stimme nicht gefunden. Setzen Sie Betrüger mit trainiertem Stimmabdruck darauf, und prüfen Sie die Aufnahme erneut.',
    nextUnkept:
      'Welche es ist, steht bei den Prüfungen unten. Auf den anderen wurde die Stimme nicht gefunden. Setzen Sie vor der nächsten Prüfung Betrüger mit trainiertem Stimmabdruck darauf.',
  },
  matchUnlisted: {
    title: 'Die Stimme passt, wurde aber nicht mit einer Beobachtungsliste verglichen',
    ofSome: (open, all) =>
      `Die Stimme passt, aber ${num(open)} von ${num(all)} Aufnahmen ${open === 1 ? 'wurde' : 'wurden'} nicht mit einer Beobachtungsliste verglichen`,
    next: 'Ob ein bekannter Betrüger spricht, ist nicht bekannt. Prüfen Sie die Aufnahme gegen eine Beobachtungsliste, bevor Sie sich auf die Übereinstimmung verlassen.',
    nextUnheard:
      'Ob ein bekannter Betrüger spricht, ist nicht bekannt, und Ihre Rolle darf die Aufnahme nicht prüfen. Bitten Sie einen Betrugsanalysten, sie gegen die Beobachtungsliste zu prüfen.',
    nextUnkept:
      'Ob ein bekannter Betrüger spricht, ist nicht bekannt, und es gibt keine Aufnahme, die man prüfen könnte. Stellen Sie auf anderem Weg fest, wer es war.',
  },
  matchMissing: {
    title: (checks: string) =>
      `Die Stimme passt, aber auf diese Art von Angriff wurde nicht geprüft: ${checks}`,
    next: 'Prüfen Sie die Aufnahme darauf, bevor Sie sich auf die Übereinstimmung verlassen.',
    nextUnheard: 'Ihre Rolle darf die Aufnahme nicht darauf prüfen. Bitten Sie einen Betrugsanalysten darum.',
    nextUnkept:
      'Es gibt keine Aufnahme, die man darauf prüfen könnte. Stellen Sie auf anderem Weg fest, wer es war.',
  },
  carried: {
    words: {
      DECISION_AUTHENTIC: 'In einer früheren Sitzung verifiziert',
      DECISION_NO_RISK_DETECTED: 'Kein Risiko in einer früheren Sitzung',
      DECISION_FRAUD: 'Betrugsrisiko in einer früheren Sitzung',
      DECISION_NO_MATCH: 'Keine Übereinstimmung in einer früheren Sitzung',
    },
    otherClaimed: 'Andere Person angegeben',
    person: 'in einer früheren Sitzung verifiziert',
    unlike: 'passte in einer früheren Sitzung nicht',
    fraudster: 'in einer früheren Sitzung erkannt',
    foundAfter: 'später in einer früheren Sitzung gefunden',
    sameVoice: 'Betrüger, aus einer früheren Sitzung registriert',
    fact: 'Früher verifiziert als',
    factUnlike: 'Passte früher nicht',
    factFraudster: 'Früher erkannter Betrüger',
    session: 'Entschieden in Sitzung',
    foundThere: (time: string) => `{found}, am ${time}, in Sitzung {session}`,
    enrolledThere: 'Aufnahmen der Sitzung {session} zu {fraudster} hinzugefügt',
    same: {
      title: (as: string, _claimed: string) =>
        `In einer früheren Sitzung dieses Engagements verifiziert${as && `, als ${as}`}`,
      next: 'In dieser Sitzung selbst wurde niemand verifiziert. Wenn jetzt jemand anderes sprechen könnte, verifizieren Sie noch einmal.',
      nextOver: 'In dieser Sitzung selbst wurde niemand verifiziert.',
    },
    other: {
      title: (as: string, claimed: string) =>
        `In einer früheren Sitzung dieses Engagements verifiziert, als ${as || 'jemand anderes'}; angegeben war hier ${claimed || 'eine andere Person'}`,
      next: 'Verlassen Sie sich nicht darauf: Über die hier angegebene Person sagt es nichts. Fragen Sie, wer anruft, und verifizieren Sie diese Person.',
      nextOver:
        'Verlassen Sie sich nicht darauf: Über die hier angegebene Person sagt es nichts. Stellen Sie fest, wer angerufen hat, und halten Sie den Ausgang fest.',
      nextJudged: 'Verlassen Sie sich nicht darauf: Über die hier angegebene Person sagt es nichts.',
    },
    alarm: {
      title: (found: string) =>
        found
          ? `In einer früheren Sitzung dieses Engagements wurde ein bekannter Betrüger erkannt: ${found}`
          : 'In einer früheren Sitzung dieses Engagements gab es Anzeichen für Betrug',
      next: 'Führen Sie nicht aus, was der Anrufer verlangt. Die Prüfung, die entschieden hat, steht in der unten genannten Sitzung.',
      nextOver:
        'Die Prüfung, die entschieden hat, steht in der unten genannten Sitzung. Halten Sie den Ausgang fest.',
      nextJudged: 'Die Prüfung, die entschieden hat, steht in der unten genannten Sitzung.',
    },
    fraudsterLater: {
      title: (found: string) =>
        `In der Sitzung, aus der die Entscheidung stammt, wurde später ein bekannter Betrüger gefunden: ${found}`,
      next: 'Verlassen Sie sich nicht auf die Entscheidung, die vorher gefallen ist. Die Aufnahme liegt in der unten genannten Sitzung.',
      nextOver:
        'Verlassen Sie sich nicht auf die Entscheidung, die vorher gefallen ist. Hören Sie die Aufnahme in der unten genannten Sitzung an, und halten Sie den Ausgang fest.',
      nextJudged: 'Die Entscheidung fiel davor, und der Ausgang wurde seitdem festgehalten.',
    },
    attackLater: {
      title: (attacks: string) =>
        `In der Sitzung, aus der die Entscheidung stammt, wurden später Anzeichen eines Angriffs gefunden: ${attacks}`,
      next: 'Verlassen Sie sich nicht auf die Entscheidung, die vorher gefallen ist. Die Aufnahme liegt in der unten genannten Sitzung.',
      nextOver:
        'Verlassen Sie sich nicht auf die Entscheidung, die vorher gefallen ist. Hören Sie die Aufnahme in der unten genannten Sitzung an, und halten Sie den Ausgang fest.',
      nextJudged: 'Die Entscheidung fiel davor, und der Ausgang wurde seitdem festgehalten.',
    },
    enrolledLater: 'Seither wurde die Stimme in jener Sitzung als die eines Betrügers registriert.',
    noMatch: {
      title: (whom: string, claimed: string) =>
        `In einer früheren Sitzung dieses Engagements passte die Stimme nicht${whom && ` zu ${whom}`}${claimed && `; angegeben war hier ${claimed}`}`,
      next: 'Die Prüfungen dieser Sitzung selbst sagen das nicht. Verifizieren Sie den Anrufer noch einmal, bevor Sie handeln.',
      nextOver: 'Die Prüfungen dieser Sitzung selbst sagen das nicht.',
    },
    clear: {
      title: 'In einer früheren Sitzung dieses Engagements wurde nichts Verdächtiges gefunden',
      next: 'Die Prüfungen dieser Sitzung selbst sagen das nicht. Wenn jetzt jemand anderes sprechen könnte, prüfen Sie noch einmal.',
      nextOver: 'Die Prüfungen dieser Sitzung selbst sagen das nicht.',
    },
  },
  who,
  leftOut: {
    CALLER: {
      title: 'Nicht alle Prüfungen galten dem Kanal des Anrufers',
      next: 'Was auf einem anderen Kanal gefunden wurde, sagt nichts über den Anrufer. Prüfen Sie den Kanal, auf dem der Anrufer spricht, bevor Sie sich darauf verlassen.',
      nextUnkept:
        'Was auf einem anderen Kanal gefunden wurde, sagt nichts über den Anrufer. Stellen Sie auf anderem Weg fest, wer es ist.',
    },
    MIXED: {
      badge: 'Anrufer und Agent zusammen gehört',
      title: 'Nichts spricht dagegen, aber Anrufer und Agent wurden zusammen gehört',
      beside: 'Anrufer und Agent wurden zusammen gehört',
      next: 'Was gefunden wurde, kann den Agenten oder eine Ansage betreffen. Prüfen Sie den Kanal, auf dem der Anrufer spricht, bevor Sie sich darauf verlassen.',
      nextUnkept:
        'Was gefunden wurde, kann den Agenten oder eine Ansage betreffen. Stellen Sie auf anderem Weg fest, wer es ist.',
    },
    TOGETHER: {
      badge: 'Kanäle zusammen gehört',
      title: 'Nichts spricht dagegen, aber alle Kanäle der Aufnahme wurden zusammen gehört',
      beside: 'Alle Kanäle der Aufnahme wurden zusammen gehört',
      next: 'Spricht auf einem davon ein Agent, kann das Ergebnis den Agenten betreffen. Prüfen Sie jeden Kanal für sich, oder lassen Sie die Anwendung angeben, wer auf welchem Kanal spricht (call_parties).',
    },
    UNKNOWN: {
      title:
        'Nicht jeder Kanal der Aufnahme wurde geprüft, und es ist nicht angegeben, auf welchem der Anrufer spricht',
      next: 'Prüfen Sie auch den anderen Kanal, oder lassen Sie die Anwendung angeben, wer auf welchem Kanal spricht (call_parties).',
    },
    /** Which of several channels was heard, on the card of a check. */
    channel: {
      label: 'Kanal',
      number: (heard: number, of: number) =>
        heard === 0 ? `alle ${num(of)} zusammen` : `${num(heard)} von ${num(of)}`,
      whose: { CALLER: 'der Anrufer', AGENT: 'der Agent', MIXED: 'Anrufer und Agent' } as Readonly<
        Record<string, string>
      >,
      unknown: 'nicht angegeben, wer darauf spricht',
    },
    claimed: {
      badge: 'Angegebene Person nicht verglichen',
      title: (claimed: string) =>
        `Nichts Verdächtiges gefunden, aber die Stimme wurde nicht mit der Stimme ${ofClaimed(claimed)} verglichen`,
      beside: (claimed: string) =>
        `In dieser Sitzung wurde die Stimme nicht mit der Stimme ${ofClaimed(claimed)} verglichen`,
      next: 'Wer anruft, ist nicht bekannt. Verifizieren Sie den Anrufer, bevor Sie für die angegebene Person handeln.',
      nextOver:
        'Wer angerufen hat, ist nicht bekannt. Gehen Sie nicht davon aus, dass es die angegebene Person war.',
    },
    members: {
      title: 'Nichts spricht dagegen, aber einige Mitglieder der Liste konnten nicht verglichen werden',
      beside: 'Einige Mitglieder der Liste konnten nicht verglichen werden',
      next: 'Wie viele, steht bei den Prüfungen unten. Geben Sie ihnen einen trainierten Stimmabdruck, und prüfen Sie die Aufnahme noch einmal.',
      nextUnkept:
        'Wie viele, steht bei den Prüfungen unten. Geben Sie ihnen vor der nächsten Prüfung einen trainierten Stimmabdruck.',
    },
  },
  matchCutOff: {
    title: 'Die Stimme passte, bis das Mithören abbrach',
    next: 'Was danach gesagt wurde, ist nicht geprüft. Läuft der Anruf weiter, verifizieren Sie den Anrufer erneut.',
  },
  matchStopped: {
    title: 'Die Stimme passte, bis jemand das Mithören beendet hat',
    next: 'Was danach gesagt wurde, hat niemand gehört. Läuft der Anruf weiter, verifizieren Sie den Anrufer erneut.',
  },
  noSpeech: {
    title: (seconds: string) => `${seconds} des Anrufs wurden mitgehört, aber es wurde nicht gesprochen`,
    next: 'Der Anrufer wurde nicht geprüft. Prüfen Sie, ob die Telefonanlage den Kanal sendet, auf dem der Kunde spricht.',
  },
  littleSpeech: {
    title: (seconds: string, speech: string) =>
      `${seconds} des Anrufs wurden mitgehört, aber es wurde zu wenig gesprochen: ${speech}`,
    next: 'Der Anrufer wurde nicht geprüft. Stellen Sie auf anderem Weg fest, wer es ist.',
  },
  notListed: {
    title: (checks: string) =>
      `Kein bekannter Betrüger, aber eine Angriffsprüfung konnte nicht entscheiden: ${checks}`,
    next: 'Ob ein Mensch live gesprochen hat, ist nicht bekannt. Hören Sie die Aufnahme an, und stellen Sie auf anderem Weg fest, wer es ist.',
    nextUnkept:
      'Ob ein Mensch live gesprochen hat, ist nicht bekannt. Stellen Sie auf anderem Weg fest, wer es ist.',
  },
  clearInPart: {
    title: (checks: string) =>
      `Nichts Verdächtiges gefunden, aber nicht jede Prüfung konnte entscheiden: ${checks}`,
    next: 'Behandeln Sie den Anruf so, als wäre er darauf nicht geprüft worden. Hören Sie die Aufnahme an, und stellen Sie auf anderem Weg fest, wer es ist.',
    nextUnkept:
      'Behandeln Sie den Anruf so, als wäre er darauf nicht geprüft worden, und stellen Sie auf anderem Weg fest, wer es ist.',
  },
  clearOfNobody: {
    title:
      'Nichts Verdächtiges gefunden, aber niemand auf der Beobachtungsliste hatte einen trainierten Stimmabdruck',
    next: 'Es wurde mit keinem Betrüger verglichen. Setzen Sie Betrüger mit trainiertem Stimmabdruck auf die Beobachtungsliste, und prüfen Sie die Aufnahme erneut.',
    nextUnkept:
      'Es wurde mit keinem Betrüger verglichen. Setzen Sie vor der nächsten Prüfung Betrüger mit trainiertem Stimmabdruck auf die Beobachtungsliste.',
  },
  clearOfSome: {
    title:
      'Nichts Verdächtiges gefunden, aber auf einer der Beobachtungslisten hatte niemand einen trainierten Stimmabdruck',
    next: 'Welche es ist, steht bei den Prüfungen unten. Auf den anderen wurde die Stimme nicht gefunden. Setzen Sie Betrüger mit trainiertem Stimmabdruck darauf, und prüfen Sie die Aufnahme erneut.',
    nextUnkept:
      'Welche es ist, steht bei den Prüfungen unten. Auf den anderen wurde die Stimme nicht gefunden. Setzen Sie vor der nächsten Prüfung Betrüger mit trainiertem Stimmabdruck darauf.',
  },
  clearUnlisted: {
    title: 'Nichts Verdächtiges gefunden, aber die Stimme wurde nicht mit einer Beobachtungsliste verglichen',
    ofSome: (open, all) =>
      `Nichts Verdächtiges gefunden, aber ${num(open)} von ${num(all)} Aufnahmen ${open === 1 ? 'wurde' : 'wurden'} nicht mit einer Beobachtungsliste verglichen`,
    next: 'Ob ein bekannter Betrüger spricht, ist nicht bekannt. Prüfen Sie die Aufnahme gegen eine Beobachtungsliste, bevor Sie sich darauf verlassen.',
    nextUnheard:
      'Ob ein bekannter Betrüger spricht, ist nicht bekannt, und Ihre Rolle darf die Aufnahme nicht prüfen. Bitten Sie einen Betrugsanalysten, sie gegen die Beobachtungsliste zu prüfen.',
    nextUnkept:
      'Ob ein bekannter Betrüger spricht, ist nicht bekannt, und es gibt keine Aufnahme, die man prüfen könnte. Stellen Sie auf anderem Weg fest, wer es war.',
  },
  clearMissing: {
    title: (checks: string) =>
      `Nichts Verdächtiges gefunden, aber auf diese Art von Angriff wurde nicht geprüft: ${checks}`,
    next: 'Prüfen Sie die Aufnahme darauf, bevor Sie sich darauf verlassen.',
    nextUnheard: 'Ihre Rolle darf die Aufnahme nicht darauf prüfen. Bitten Sie einen Betrugsanalysten darum.',
    nextUnkept:
      'Es gibt keine Aufnahme, die man darauf prüfen könnte. Stellen Sie auf anderem Weg fest, wer es war.',
  },
  notCheckedEither: 'Auch auf Angriffe wurde nicht geprüft.',
  notConfirmedEither: 'Auch ob ein Mensch live gesprochen hat, ließ sich nicht feststellen.',
  nobodyEither: 'Auch auf der Beobachtungsliste hatte niemand einen trainierten Stimmabdruck.',
  unlistedEither: 'Nicht jede Aufnahme wurde mit einer Beobachtungsliste verglichen.',
  missingEither: (check: string) => `Auch auf diese Art von Angriff wurde nicht geprüft: ${check}.`,
  clearSince: {
    title: 'Eine Angriffsprüfung konnte während des Anrufs nicht entscheiden, eine spätere fand nichts',
    next: 'Die Sitzung bleibt, wie sie damals entschieden wurde.',
  },
  clearCutOff: {
    title: 'Nichts Verdächtiges gefunden, bis das Mithören abbrach',
    next: 'Was nach dem Abbruch des Mithörens gesagt wurde, ist nicht geprüft. Läuft der Anruf weiter, prüfen Sie ihn erneut.',
  },
  clearStopped: {
    title: 'Nichts Verdächtiges gefunden, bis jemand das Mithören beendet hat',
    next: 'Was nach dem Ende des Mithörens gesagt wurde, hat niemand gehört. Läuft der Anruf weiter, prüfen Sie ihn erneut.',
  },
  listCheck: 'Bekannte Betrüger',
  comparison: 'Stimmvergleich',
  fraudster: { title: 'Die Stimme eines bekannten Betrügers wurde erkannt' },
  otherVoice: { title: 'Die Stimme ist eindeutig nicht die der Person, mit der verglichen wurde' },
  fraudsterLater: {
    title: 'In diesem Anruf wurde später ein bekannter Betrüger gefunden',
    next: 'Die Sitzung wurde vorher entschieden. Hören Sie die Aufnahme an, und halten Sie den Ausgang fest.',
    nextUnheard:
      'Die Sitzung wurde vorher entschieden. Bitten Sie einen Betrugsanalysten, die Aufnahme anzuhören und den Ausgang festzuhalten.',
    nextJudged: 'Die Sitzung wurde vorher entschieden, und der Ausgang wurde seitdem festgehalten.',
  },
  attackLater: {
    title: (attacks: string) => `In diesem Anruf wurden später Anzeichen eines Angriffs gefunden: ${attacks}`,
    next: 'Die Sitzung wurde vorher entschieden. Hören Sie die Aufnahme an, und halten Sie den Ausgang fest.',
    nextUnheard:
      'Die Sitzung wurde vorher entschieden. Bitten Sie einen Betrugsanalysten, die Aufnahme anzuhören und den Ausgang festzuhalten.',
    nextJudged: 'Die Sitzung wurde vorher entschieden, und der Ausgang wurde seitdem festgehalten.',
  },
};
