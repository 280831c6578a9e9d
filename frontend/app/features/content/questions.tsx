import type { ContentPage } from "#app/lib/api/types.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Icon } from "#app/ui/icon.tsx";
import { contentMessages } from "./messages.ts";

interface QuestionsProps {
  questions: ContentPage["faq"];
  lang?: string | undefined;
  /** Whether another section follows. The last section must not have the footer's background. */
  followed?: boolean;
}

/** Questions and answers, each in a native `<details>`. */
export function Questions({ questions, lang, followed = false }: QuestionsProps) {
  const t = useMessages(contentMessages);
  if (questions.length === 0) return null;
  return (
    <section aria-labelledby="questions" className={followed ? "bg-sunk" : "border-t border-line"}>
      <div className="page-width grid gap-x-16 gap-y-6 py-14 lg:grid-cols-[1fr_2fr] lg:py-20">
        <h2 id="questions" className="text-heading">
          {t.questions}
        </h2>
        <div className="border-t border-line" lang={lang}>
          {questions.map(({ question, answer }) => (
            <details key={question} className="group border-b border-line">
              <summary className="flex min-h-14 items-center justify-between gap-4 py-3 text-lg font-medium">
                {question}
                <Icon
                  name="chevron"
                  className="size-5 text-muted transition-transform duration-150 group-open:rotate-180"
                />
              </summary>
              <p className="max-w-[65ch] pb-5 leading-relaxed text-muted">{answer}</p>
            </details>
          ))}
        </div>
      </div>
    </section>
  );
}
