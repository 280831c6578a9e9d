import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { Checkbox } from "./checkbox.tsx";
import { ErrorSummary } from "./error-summary.tsx";
import { RequiredNote } from "./field.tsx";
import { RadioGroup } from "./radio-group.tsx";
import { Select } from "./select.tsx";
import { TextArea, TextField } from "./text-field.tsx";

const markup = (part: React.ReactNode, path = "/") =>
  renderToStaticMarkup(<MemoryRouter initialEntries={[path]}>{part}</MemoryRouter>);

const OPTIONS = [
  { value: "a", label: "A" },
  { value: "b", label: "B" },
];

test.each([
  ["text field", <TextField key="" id="f" label="L" name="n" hint="H" error="E" required />],
  ["text area", <TextArea key="" id="f" label="L" name="n" hint="H" error="E" required />],
  [
    "select",
    <Select key="" id="f" label="L" name="n" hint="H" error="E" required options={OPTIONS} />,
  ],
  ["checkbox", <Checkbox key="" id="f" label="L" name="n" hint="H" error="E" required />],
  [
    "radio group",
    <RadioGroup key="" id="f" label="L" name="n" hint="H" error="E" required options={OPTIONS} />,
  ],
])("a %s is described by its hint and its error", (_, part) => {
  const html = markup(part);
  expect(html).toContain('aria-describedby="f-hint f-error"');
  expect(html).toMatch(/id="f-hint"[^>]*>H/);
  expect(html).toMatch(/id="f-error"[^>]*>.*Error: .*E/);
  expect(html).toContain('aria-invalid="true"');
  expect(html).toContain("required");
  expect(html).toContain('id="f"');
});

test("the note about required fields is in the language of the page", () => {
  expect(markup(<RequiredNote />)).toContain("Fields marked * are required.");
  expect(markup(<RequiredNote />, "/es")).toContain("Los campos con * son obligatorios.");
});

test("a valid field without a hint refers to no description", () => {
  const html = markup(<TextField label="L" name="n" />);
  expect(html).not.toMatch(/aria-describedby|aria-invalid|required/);
});

test("the unit of a number is part of its field's accessible name", () => {
  const html = markup(<TextField id="f" label="Built size" name="n" unit="m²" />);
  const [, name = ""] = /<label for="f"[^>]*>(.*?)<\/label>/.exec(html) ?? [];
  expect(name.replace(/<[^>]+>/g, "")).toBe("Built size (m²)");
  expect(markup(<TextField id="f" label="Years" name="n" />)).toContain(">Years</label>");
});

test("the page contains a field's initial value, for visitors without a script", () => {
  expect(markup(<TextField label="L" name="n" defaultValue="kept" />)).toContain('value="kept"');
  expect(markup(<TextArea label="L" name="n" defaultValue="kept" />)).toContain(">kept</textarea>");
  expect(markup(<Select label="L" name="n" options={OPTIONS} defaultValue="b" />)).toContain(
    '<option value="b" selected="">',
  );
  expect(markup(<RadioGroup label="L" name="n" options={OPTIONS} defaultValue="b" />)).toMatch(
    /checked=""[^>]*value="b"/,
  );
});

test("a list of errors links to the fields, in the language of the page", () => {
  const errors = [{ field: "f", message: "Falta el nombre." }, { message: "No se envió." }];
  const html = markup(<ErrorSummary errors={errors} />, "/es/contact-us");
  expect(html).toContain("Hay 2 cosas que corregir");
  expect(html).toContain('href="#f"');
  expect(html).toContain("No se envió.");
  expect(html).toContain("autofocus");
  expect(markup(<ErrorSummary errors={[]} />)).toBe("");
});
