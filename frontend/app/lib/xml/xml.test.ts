import { expect, test } from "vitest";
import { element, escapeXml, xmlDocument } from "./xml.ts";

test("no text leaves its place", () => {
  const text = `Ático "B&B" <b>'x'</b> ]]>`;
  const escaped = "Ático &quot;B&amp;B&quot; &lt;b&gt;&apos;x&apos;&lt;/b&gt; ]]&gt;";
  expect(element("title", text).source).toBe(`<title>${escaped}</title>`);
  expect(element("link", [], { href: text }).source).toBe(`<link href="${escaped}"/>`);
});

test("what XML can't hold is left out, and what it can is kept", () => {
  expect(escapeXml("a\u0000b\u000bc\ud800d\udc00e\ufffef")).toBe("abcdef");
  expect(escapeXml("line\nnext\tñ 🏡")).toBe("line\nnext\tñ 🏡");
});

test("pieces are put in as they are", () => {
  const root = element("a", [element("b", "1 < 2"), element("c")]);
  expect(xmlDocument(root)).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<a><b>1 &lt; 2</b><c/></a>\n',
  );
});
