/** What somebody signs in with. */
export interface Credentials {
  name: string;
  password: string;
  code: string;
}

/** What a form holds; authenticators show the digits of a code in two groups. */
export function credentialsOf(form: FormData): Credentials {
  const text = (name: string) => String(form.get(name) ?? "");
  return {
    name: text("name").trim(),
    password: text("password"),
    code: text("code").replace(/\s/g, ""),
  };
}

/** What can't be right as it is. */
export function missingOf({ name, password, code }: Credentials): (keyof Credentials)[] {
  const missing: (keyof Credentials)[] = [];
  if (name === "") missing.push("name");
  if (password === "") missing.push("password");
  if (!/^\d{6}$/.test(code)) missing.push("code");
  return missing;
}
