import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { carryDraft, takeCarriedDraft } from "./carried-draft.ts";

/** A minimal form field. */
class FakeField extends EventTarget {
  readonly form = null;
  readonly defaultChecked = false;
  readonly defaultValue = "";
  readonly files = [];
  readonly type: string;
  readonly name: string;
  checked = false;
  #value = "";

  constructor(type: string, name: string) {
    super();
    this.type = type;
    this.name = name;
  }

  get value() {
    return this.#value;
  }

  set value(value: string) {
    this.#value = value;
  }

  getAttribute() {
    return null;
  }
}

const KINDS = {
  name: "text",
  email: "email",
  message: "textarea",
  website: "text",
  openedFor: "hidden",
  marketingConsent: "checkbox",
};

/** Returns the form at `address`, filled in with `written`. */
function form(address: string, written: Record<string, string> = {}) {
  const fields = Object.entries(KINDS).map(([name, type]) => {
    const field = new FakeField(type, name);
    field.value = written[name] ?? "";
    field.checked = type === "checkbox" && name in written;
    return field;
  });
  const fake = {
    action: `https://site.example${address}`,
    querySelectorAll: () => fields,
    cloneNode: () => form(address).element,
  };
  const element = fake as unknown as HTMLFormElement;
  const filled = () => fields.filter(({ value, checked }) => value || checked);
  return { element, texts: () => Object.fromEntries(filled().map((it) => [it.name, it.value])) };
}

let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
    removeItem: (key: string) => void stored.delete(key),
  });
  vi.stubGlobal("HTMLSelectElement", class {});
});

afterEach(() => vi.unstubAllGlobals());

/** Simulates that the document at `address` loads. */
function arrive(address: string): void {
  const { pathname, search } = new URL(address, "https://site.example");
  vi.stubGlobal("location", { pathname, search });
}

const WRITTEN = { name: "Ann", email: "ann@example.com", message: "Is there a lift?" };

test("a draft is restored in the same form in the other language, and removed from storage", () => {
  const left = form("/enquiry?kind=viewing&ref=AH-1", {
    ...WRITTEN,
    website: "filled by a machine",
    openedFor: "12",
    marketingConsent: "yes",
  });
  carryDraft(left.element, "/es/property/AH-1");
  const text = [...stored.values()].join();
  expect(text).not.toMatch(/machine|openedFor|Consent/);

  arrive("/es/property/AH-1");
  const same = form("/es/enquiry?kind=viewing&ref=AH-1", { name: "Bea" });
  takeCarriedDraft(same.element);
  // What was typed before the draft is restored is not overwritten.
  expect(same.texts()).toEqual({ ...WRITTEN, name: "Bea" });
  expect(stored).toEqual(new Map());
  const again = form("/es/enquiry?kind=viewing&ref=AH-1");
  takeCarriedDraft(again.element);
  expect(again.texts()).toEqual({});
});

test.each([
  ["/es/about", "/es/enquiry?kind=general"],
  ["/es/contact-us", "/es/enquiry?kind=viewing"],
])("another form discards the draft: at %s, %s", (address, action) => {
  carryDraft(form("/enquiry?kind=general", WRITTEN).element, "/es/contact-us");
  arrive(address);
  const there = form(action);
  takeCarriedDraft(there.element);
  expect(there.texts()).toEqual({});
  expect(stored).toEqual(new Map());
});

test("text that was removed before the link was clicked again is not passed on", () => {
  carryDraft(form("/enquiry?kind=general", WRITTEN).element, "/es/contact-us");
  carryDraft(form("/enquiry?kind=general").element, "/es/contact-us");
  expect(stored).toEqual(new Map());
});

test.each(["{", "null", '{"address":"/es/contact-us","form":7}'])(
  "%s in storage is ignored",
  (text) => {
    stored.set("carried-draft", text);
    arrive("/es/contact-us");
    const there = form("/es/enquiry?kind=general");
    takeCarriedDraft(there.element);
    expect(there.texts()).toEqual({});
  },
);
