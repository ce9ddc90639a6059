// <voxgate-call>: what an agent sees of the call they are in. A web component in one script, without a framework, for the desktop of
// any contact center:
//   <script type="module" src="https://voxgate.example.com/widget/voxgate-call.js"></script>
//   <voxgate-call call="LIVE CALL ID" token="AGENT TOKEN"></voxgate-call>
import type { LiveEventJson, LivePromptJson } from '../../gen/voxgate/live/v1/live_pb.js';
import {
  because,
  caveatMeaning,
  caveatNames,
  headlineName,
  headlineWord,
  nextStep,
  toneName,
} from '../../words/tell.js';
import { follow, type Progress } from './feed.js';
import { STYLE } from './style.js';
import { textsOf, type Texts } from './texts.js';

/** By what is found; any other by how it is to be taken. */
const marks: Readonly<Record<string, string>> = { LISTENING: '…', NO_MATCH: '✕' };
const markOf = { GOOD: '✓', NEUTRAL: '?', WARNING: '?', ALARM: '!' } as const;
const ASKED = 'LIVE_PROMPT_STATE_ASKED';
const isOpen: ReadonlySet<string> = new Set([ASKED, 'LIVE_PROMPT_STATE_ENDED']);
/** With these, the caller should be asked for digits. */
const wanting: ReadonlySet<string> = new Set(['PROMPT_WANTED', 'PROMPT_FAILED']);
/** What to say of a call beside its headline, at most. */
const CAVEATS_SHOWN = 2;

interface Answer {
  error_message?: string;
  /** For a refusal: what was wrong with the request. */
  field?: string;
  enrolled?: boolean;
  message?: string;
  trainReason?: string;
}

/** The customer has to be asked first. */
class ConsentMissing extends Error {}

/** Speech after which the first decision can be expected. */
const FIRST_DECISION_S = 3;
/** The origin of this script: the server, unless the element names another one. */
const HOME = new URL(import.meta.url).origin;

function made<K extends keyof HTMLElementTagNameMap>(
  name: K,
  set: Record<string, string> = {},
  ...inside: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(set)) element.setAttribute(attribute, value);
  element.append(...inside);
  return element;
}

class VoxgateCall extends HTMLElement {
  static readonly observedAttributes = ['call', 'token', 'server', 'lang', 'consent'];
  readonly #state = made('span');
  readonly #mark = made('span', { class: 'mark', 'aria-hidden': 'true' });
  readonly #line = made('p', { class: 'state', role: 'status' }, this.#mark, this.#state);
  readonly #speech = made('span');
  readonly #more = made('p', { class: 'more' });
  /** Digits that the caller is to repeat, and whether they were. */
  readonly #prompt = made('p', { class: 'prompt', role: 'status' });
  /** Asks for digits, then says that they were read out. */
  readonly #digits = made('button', { type: 'button' });
  readonly #meter = made('meter', { min: '0', max: String(FIRST_DECISION_S) });
  readonly #title = made('h2');
  readonly #confirm = made('button', { type: 'button', class: 'first' });
  readonly #deny = made('button', { type: 'button' });
  readonly #agreed = made('input', { type: 'checkbox' });
  readonly #agreedText = made('span');
  readonly #consent = made('label', {}, this.#agreed, ' ', this.#agreedText);
  readonly #note = made('p', { class: 'note', role: 'status', tabindex: '-1' });
  #following: AbortController | undefined;
  #starting = false;
  #isConfirmed = false;
  #isWaiting = true;
  #isOver = false;
  #promptState = '';
  #last: LiveEventJson | undefined;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    // Works even if the page's policy forbids inline styles.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    const facts = made('div', { class: 'facts' }, this.#speech, this.#meter);
    const buttons = made('div', { class: 'buttons' }, this.#confirm, this.#deny, this.#digits);
    root.append(
      made(
        'section',
        {},
        ...[this.#title, this.#line, this.#more, this.#prompt, facts, this.#consent, buttons, this.#note],
      ),
    );
    this.#confirm.addEventListener('click', () => void this.#say('confirm'));
    this.#deny.addEventListener('click', () => void this.#say('deny'));
    this.#digits.addEventListener('click', ({ detail: clicks }) => {
      // The second of a double click would already say that they were read out.
      if (clicks <= 1) void this.#askForDigits();
    });
  }

  connectedCallback(): void {
    this.#restart();
  }

  disconnectedCallback(): void {
    this.#following?.abort();
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.#restart();
  }

  get #texts(): Texts {
    return textsOf(this.lang || document.documentElement.lang || navigator.language);
  }

  get #url(): string {
    const server = this.getAttribute('server') ?? HOME;
    return `${server.replace(/\/$/, '')}/v1/live/${encodeURIComponent(this.getAttribute('call') ?? '')}`;
  }

  get #token(): string {
    return this.getAttribute('token') ?? '';
  }

  /** Several attributes that change together count as one change. */
  #restart(): void {
    if (this.#starting) return;
    this.#starting = true;
    queueMicrotask(() => {
      this.#starting = false;
      this.#begin();
    });
  }

  #begin(): void {
    this.#following?.abort();
    this.#label();
    if (!this.isConnected || !this.hasAttribute('call') || this.#token === '') return;
    const following = new AbortController();
    this.#following = following;
    const only = <T extends unknown[]>(act: (...values: T) => void) => {
      return (...values: T): void => {
        if (!following.signal.aborted) act(...values);
      };
    };
    void follow(
      this.#url,
      this.#token,
      {
        event: only((event: LiveEventJson) => this.#show(event)),
        progress: only((progress: Progress) => this.#advance(progress)),
        lost: only(() => this.#tell(this.#texts.lost)),
        over: only((isRefused: boolean) => this.#end(isRefused)),
      },
      following.signal,
    );
  }

  #label(): void {
    const texts = this.#texts;
    this.#title.textContent = texts.title;
    this.#confirm.textContent = texts.confirm;
    this.#deny.textContent = texts.deny;
    this.#agreedText.textContent = texts.consent;
    this.#consent.hidden = !this.hasAttribute('consent');
    // One customer's consent says nothing about the next customer.
    this.#agreed.checked = false;
    this.#meter.setAttribute('aria-label', texts.untilDecision);
    this.#tell('');
    this.#isConfirmed = false;
    this.#isWaiting = true;
    this.#isOver = false;
    this.#last = undefined;
    this.#mark.textContent = marks['LISTENING'] ?? '';
    this.#state.textContent = texts.waiting;
    this.#line.className = 'state NEUTRAL';
    this.#more.textContent = '';
    this.#forgetPrompt();
    this.#count(0);
    this.#allow(false);
  }

  /** Green means what it means on every page: the tone is that of the assessment. */
  #paint({ state = 'LISTENING', reason = '', endReason, assessment = {} }: LiveEventJson): void {
    const { words, reasons, ended } = this.#texts;
    const tone = toneName(assessment);
    const word = headlineWord(words, assessment);
    const line = endReason ? `${word} (${ended})` : word;
    const found = reasons[`${state} ${reason}`] ?? reasons[reason] ?? because(words, assessment);
    const why = found || (tone === 'ALARM' ? words.headlines[headlineName(assessment)].meaning : '');
    const caveats = caveatNames(assessment).slice(0, CAVEATS_SHOWN);
    const said = caveats.map((name) => caveatMeaning(words, assessment, name));
    const more = [why, ...said, nextStep(words, assessment)].filter(Boolean).join(' ');
    this.#line.className = `state ${tone}`;
    this.#mark.textContent = marks[headlineName(assessment)] ?? markOf[tone];
    // Only what changes is read out.
    if (this.#state.textContent !== line) this.#state.textContent = line;
    if (this.#more.textContent !== more) this.#more.textContent = more;
    if (!endReason && caveatNames(assessment).some((name) => wanting.has(name))) this.#offerDigits();
  }

  #ask({ state, expectedText = '', detectedText = '', reason = '' }: LivePromptJson): void {
    const { prompts, reasons, heard } = this.#texts;
    const told =
      prompts[state?.replace('LIVE_PROMPT_STATE_', '') ?? '']?.(expectedText) ?? reasons[reason] ?? '';
    const isOther = reason === 'WORDS_NO_MATCH' && detectedText !== '';
    this.#prompt.textContent = isOther ? `${told} ${heard(detectedText)}` : told;
    this.#offerDigits(state);
  }

  #offerDigits(promptState: string | undefined = this.#promptState): void {
    const { ask, asked } = this.#texts;
    this.#promptState = promptState;
    this.#digits.textContent = promptState === ASKED ? asked : ask;
    this.#digits.hidden = false;
  }

  /** Nobody is asked any more. */
  #forgetPrompt(): void {
    this.#promptState = '';
    this.#prompt.textContent = '';
    this.#digits.hidden = true;
  }

  async #askForDigits(): Promise<void> {
    this.#tell('');
    const of = this.#following;
    try {
      await this.#post(this.#promptState === ASKED ? 'asked' : 'ask');
    } catch (thrown) {
      if (!of?.signal.aborted) this.#tell(this.#texts.failed(messageIn(thrown)));
    }
  }

  #show(event: LiveEventJson): void {
    const { state = 'LISTENING', reason = '', risk, netSpeech, endReason, assessment, prompt } = event;
    const texts = this.#texts;
    this.#last = event;
    this.#paint(event);
    this.#count(secondsOf(netSpeech));
    if (prompt) this.#ask(prompt);
    if (endReason && isOpen.has(this.#promptState)) this.#forgetPrompt();
    this.#digits.hidden ||= endReason !== undefined;
    if (this.#isWaiting) this.#allow(true);
    this.#isWaiting = false;
    if (this.#note.textContent === texts.lost) this.#tell('');
    const detail = { state, reason, risk, netSpeech, endReason, assessment, prompt };
    this.dispatchEvent(new CustomEvent('voxgate-state', { detail }));
  }

  #advance({ netSpeech, agentWord, assessment }: Progress): void {
    this.#count(secondsOf(netSpeech));
    if (this.#last && assessment) {
      this.#last = { ...this.#last, assessment };
      this.#paint(this.#last);
    }
    if (agentWord && !this.#confirm.disabled) this.#said(agentWord === 'CONFIRMED' ? 'confirm' : 'deny');
    else if (agentWord === 'DENIED' && !this.#deny.disabled) this.#said('deny');
  }

  #count(seconds: number): void {
    const text = new Intl.NumberFormat(this.lang || undefined, { maximumFractionDigits: 0 }).format(seconds);
    this.#speech.textContent = this.#texts.speech(text);
    this.#meter.setAttribute('aria-valuetext', this.#texts.speech(text));
    this.#meter.value = seconds;
  }

  #end(isRefused: boolean): void {
    if (!isRefused) {
      this.#isOver = true;
      if (this.#isConfirmed) this.#deny.disabled = true;
      if (this.#isConfirmed) void this.#askOutcome();
      return;
    }
    this.#tell(this.#texts.refused);
    this.#allow(false);
    this.dispatchEvent(new CustomEvent('voxgate-refused'));
  }

  #allow(may: boolean): void {
    for (const control of [this.#confirm, this.#deny, this.#agreed]) control.disabled = !may;
  }

  #tell(note: string): void {
    if (this.#note.textContent !== note) this.#note.textContent = note;
  }

  #said(word: 'confirm' | 'deny', more = ''): void {
    const texts = this.#texts;
    this.#allow(false);
    this.#isConfirmed = word === 'confirm';
    // An agent who confirmed by mistake can deny it until the call is over.
    this.#deny.disabled = !this.#isConfirmed || this.#isOver;
    this.#tell(`${word === 'confirm' ? texts.confirmed : texts.denied} ${more}`.trim());
  }

  /**
   * The result for the speech of a call that was confirmed while it ran: repeating the confirmation returns
   * it.
   */
  async #askOutcome(): Promise<void> {
    const of = this.#following;
    const answer = await this.#post('confirm').catch((): Answer => ({}));
    if (of?.signal.aborted || answer.enrolled === undefined) return;
    this.#said('confirm', this.#outcome(answer));
  }

  #outcome({ enrolled, message = '', trainReason = '' }: Answer): string {
    const texts = this.#texts;
    if (enrolled === undefined) return '';
    return enrolled
      ? `${texts.enrolled} ${texts.untrained[trainReason] ?? ''}`.trim()
      : texts.notEnrolled(message);
  }

  async #post(word: 'confirm' | 'deny' | 'ask' | 'asked'): Promise<Answer> {
    const answer = await fetch(`${this.#url}/${word}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: JSON.stringify(word === 'confirm' ? { consent: this.#agreed.checked } : {}),
    });
    const body = (await answer.json()) as Answer;
    if (body.field === 'consent') throw new ConsentMissing(body.error_message);
    if (!answer.ok) throw new Error(body.error_message ?? `HTTP ${answer.status}`);
    return body;
  }

  /** Shows the consent box, even if the page did not ask for it. */
  #askConsent(): void {
    this.#consent.hidden = false;
    this.#tell(this.#texts.askConsent);
    this.#agreed.focus();
  }

  async #say(word: 'confirm' | 'deny'): Promise<void> {
    // A button that is disabled loses the focus: keyboard users continue from here.
    const focused = this.shadowRoot?.activeElement;
    this.#allow(false);
    try {
      const body = await this.#post(word);
      this.#said(word, this.#outcome(body));
      if (focused) this.#note.focus();
      this.dispatchEvent(new CustomEvent('voxgate-word', { detail: { word, ...body } }));
    } catch (thrown) {
      this.#allow(true);
      if (thrown instanceof ConsentMissing) return this.#askConsent();
      if (focused instanceof HTMLElement) focused.focus();
      this.#tell(this.#texts.failed(messageIn(thrown)));
    }
  }
}

const messageIn = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** Seconds of a JSON duration such as `3.5s`. */
const secondsOf = (duration: string | undefined): number => Number.parseFloat(duration ?? '0') || 0;

if (!customElements.get('voxgate-call')) customElements.define('voxgate-call', VoxgateCall);
