/** What an operator signs in with. */
export interface Credentials {
  name: string;
  password: string;
  code: string;
}

/** Reads a form. Spaces are removed from the code, since authenticators show its digits in two groups. */
export function credentialsOf(form: FormData): Credentials {
  const text = (name: string) => String(form.get(name) ?? "");
  return {
    name: text("name").trim(),
    password: text("password"),
    code: text("code").replace(/\s/g, ""),
  };
}

/** Returns the fields that are missing or malformed. */
export function invalidFields({ name, password, code }: Credentials): (keyof Credentials)[] {
  const missing: (keyof Credentials)[] = [];
  if (name === "") missing.push("name");
  if (password === "") missing.push("password");
  if (!/^\d{6}$/.test(code)) missing.push("code");
  return missing;
}
