import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { PostForm, SubmitButton, useFieldErrors } from "./post-form.tsx";
import { TextField } from "./text-field.tsx";

interface SampleProps {
  answer?: { fields?: readonly string[] };
  failure?: string;
}

function Sample({ answer, failure }: SampleProps) {
  const { errors, field } = useFieldErrors(answer, { name: "Too long.", email: "No address." });
  return (
    <PostForm answer={answer} errors={errors} failure={failure}>
      <TextField {...field("name")} label="Name" />
      <TextField {...field("email")} label="Email" />
      <SubmitButton name="intent" value="save">
        Save
      </SubmitButton>
    </PostForm>
  );
}

function render(props: SampleProps): string {
  const Page = createRoutesStub([{ path: "/", Component: () => <Sample {...props} /> }]);
  return renderToStaticMarkup(<Page initialEntries={["/"]} />);
}

test("the summary of a refused form leads to each field that was refused, and to no other", () => {
  const html = render({ answer: { fields: ["email", "frequency"] } });
  const links = [...html.matchAll(/<a href="#([^"]+)"[^>]*>([^<]+)</g)].map(([, ...link]) => link);
  expect(links).toEqual([[expect.any(String), "No address."]]);
  expect(html).toMatch(new RegExp(`<input[^>]* id="${links[0]?.[0]}"[^>]* aria-invalid="true"`));
  expect(html.match(/aria-invalid/g)).toHaveLength(1);
  expect(html).not.toContain("Too long.");
});

test("a form says why it failed if no field is the reason, and otherwise shows no message", () => {
  expect(render({ failure: "Try again." })).toMatch(/<p role="alert"[^>]*>Try again\.</);
  const html = render({});
  expect(html).not.toContain("alert");
  expect(html).not.toContain("error");
  expect(html).toMatch(/<form[^>]* method="post">.+<button type="submit"[^>]* name="intent"/s);
});
