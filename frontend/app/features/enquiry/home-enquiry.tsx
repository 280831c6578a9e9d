import type { EnquiryAnswer } from "#app/lib/enquiry/enquiry.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { EnquiryForm } from "./enquiry-form.tsx";
import { enquiryFormMessages } from "./form-messages.ts";

interface HomeEnquiryProps {
  property: { ref: string; title: string };
  answer?: EnquiryAnswer | undefined;
  /** Whether something beside it is asked for first. */
  second?: boolean | undefined;
}

/** The form about a home, which begins with saying which. */
export function HomeEnquiry({ property, answer, second }: HomeEnquiryProps) {
  const t = useMessages(enquiryFormMessages);
  const { ref, title } = property;
  return (
    <EnquiryForm
      kind="property"
      reference={ref}
      message={t.line(ref, title)}
      answer={answer}
      second={second}
    />
  );
}
