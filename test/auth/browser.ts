// A browser of sorts: follows redirects one by one, keeps cookies, fills in forms.

export interface Page {
  status: number;
  headers: Headers;
  html: string;
  /** Where a redirect leads, when the answer is one. */
  location: string | undefined;
}

export class Browser {
  readonly #origin: string;
  readonly cookies = new Map<string, string>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  async get(url: string, headers: Record<string, string> = {}): Promise<Page> {
    return this.#send(url, { method: 'GET', headers });
  }

  async post(url: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Page> {
    return this.#send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(form).toString(),
    });
  }

  /** Sends the page's only form with its hidden fields and the given values. */
  async submit(
    page: Page,
    values: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Page> {
    const action = /<form[^>]* action="([^"]+)"/.exec(page.html)?.[1];
    if (action === undefined) throw new Error(`no form on the page: ${page.html}`);
    return this.post(new URL(action, this.#origin).toString(), { ...hiddenFields(page), ...values }, headers);
  }

  /** Goes on while redirects stay on this server; stops at the one that leaves it. */
  async follow(page: Page): Promise<Page> {
    let current = page;
    while (
      current.location !== undefined &&
      new URL(current.location, this.#origin).origin === this.#origin
    ) {
      const next = new URL(current.location, this.#origin).toString();
      if (new URL(next).searchParams.has('code')) return current;
      current = await this.get(next);
    }
    return current;
  }

  async #send(url: string, init: RequestInit & { headers: Record<string, string> }): Promise<Page> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...init.headers, ...(cookie === '' ? {} : { cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const equals = pair.indexOf('=');
      if (/max-age=0/i.test(line)) this.cookies.delete(pair.slice(0, equals));
      else this.cookies.set(pair.slice(0, equals), pair.slice(equals + 1));
    }
    return {
      status: response.status,
      headers: response.headers,
      html: await response.text(),
      location: response.headers.get('location') ?? undefined,
    };
  }
}

export function hiddenFields(page: Page): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [, name = '', value = ''] of page.html.matchAll(
    /<input type="hidden" name="([^"]+)" value="([^"]*)"/g,
  )) {
    fields[name] = value.replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
  }
  return fields;
}
