// Generates what the pages need to know of the write side: the rules of the forms, from the API's description,
// with the message for each broken rule of an enquiry; what is stored about visitors, why and for how long; and
// the texts of their consent. `--check` fails if a generated file differs from the checked-in one.
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

const command = new URL("../../services/command/", import.meta.url);
const read = (file: string) => JSON.parse(readFileSync(new URL(file, command), "utf8"));
const { schemas } = read("openapi.json").components;
const { properties, "x-required": required } = schemas.EnquiryRequest;

interface Length {
  minLength?: number;
  maxLength?: number;
  "x-minLength"?: number;
}
const lengths = Object.fromEntries(
  Object.entries<Length>(properties)
    .filter(([, { maxLength }]) => maxLength !== undefined)
    .map(([name, length]) => [name, { min: length["x-minLength"] ?? 1, max: length.maxLength }]),
);

const rules = `// Made by \`npm run api:types\` from services/command; not to be edited.

/** The least and the most characters of each field. */
export const LENGTHS = ${JSON.stringify(lengths, null, 2)} as const;

/** The least and the most square metres of what is to be valued, and the most pictures of it. */
export const AREA = ${JSON.stringify({ min: properties.builtArea.minimum, max: properties.builtArea.maximum })} as const;
export const MAX_PICTURES = ${properties.pictures.maxItems};

/** How many times may be proposed for a viewing, and how many days ahead. */
export const MAX_TIMES = ${properties.times.maxItems};
export const MAX_DAYS = ${properties.times["x-maxDays"]};

/** What each kind of enquiry can't do without, beside somewhere to answer to. */
export const REQUIRED = ${JSON.stringify(required, null, 2)} as const;
`;

const refusals = `// Made by \`npm run api:types\` from services/command; not to be edited.

/** What would be right, for each rule that is broken. */
export const REFUSALS = ${JSON.stringify(read("refusals.json"), null, 2)} as const;
`;

const lengthOf = (schema: string, field: string) => {
  const { minLength: min, maxLength: max }: Length = schemas[schema].properties[field];
  if (max === undefined) throw new Error(`the API does not say how long ${schema}.${field} may be`);
  return { min: min ?? 0, max };
};
const accountLengths = {
  email: lengthOf("SignInRequest", "email"),
  name: lengthOf("SignInRequest", "name"),
  password: lengthOf("NewPassword", "password"),
  note: lengthOf("HomeChange", "note"),
  searchName: lengthOf("SearchRequest", "name"),
};
const accountRules = `// Made by \`npm run api:types\` from services/command; not to be edited.

/** The least and the most characters of what is stored for a visitor. */
export const LENGTHS = ${JSON.stringify(accountLengths, null, 2)} as const;
`;

interface Kept {
  tables?: readonly string[];
}
// Visitors need no table names.
const storedAboutVisitors = read("kept.json").map(({ tables, ...kept }: Kept) => kept);
const kept = `// Made by \`npm run api:types\` from services/command; not to be edited.

/** What is kept of visitors, why, and for how many days: without any, until its owner deletes it. */
export const KEPT = ${JSON.stringify(storedAboutVisitors, null, 2)} as const;
`;

interface ConsentText {
  purpose: string;
  en: string;
  es: string;
}
// The latest text of each purpose comes last and wins.
const words = Object.fromEntries(
  read("consents.json").map(({ purpose, en, es }: ConsentText) => [purpose, { en, es }]),
);
const consents = `// Made by \`npm run api:types\` from services/command; not to be edited.

/** What visitors agree to, in the words that are kept with it. */
export const CONSENTS = ${JSON.stringify(words, null, 2)} as const;
`;

for (const [file, text] of [
  ["app/lib/enquiry/rules.gen.ts", rules],
  ["app/lib/enquiry/refusals.gen.ts", refusals],
  ["app/lib/account/lengths.gen.ts", accountRules],
  ["app/lib/account/kept.gen.ts", kept],
  ["app/lib/account/consents.gen.ts", consents],
] as const) {
  const url = new URL(`../${file}`, import.meta.url);
  if (!process.argv.includes("--check")) writeFileSync(url, text);
  else if (readFileSync(url, "utf8") !== text) {
    console.error(`${file} is not what services/command says: make types`);
    process.exitCode = 1;
  }
}
