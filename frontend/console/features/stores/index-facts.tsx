import { useQuery } from "@tanstack/react-query";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { Card } from "#app/ui/card.tsx";
import { queryState } from "#console/lib/api/queries.ts";
import { Answer } from "#console/ui/answer.tsx";
import { Facts } from "#console/ui/facts.tsx";
import { Part } from "#console/ui/page.tsx";
import { storeMessages } from "./messages.ts";
import { useFigures } from "./use-figures.ts";

/** The search index of a query node. */
export function SearchIndex() {
  const t = useMessages(storeMessages);
  const { figure, bytes, position } = useFigures();
  return (
    <Part title={t.index} lead={t.indexLead}>
      <Answer of={useQuery(queryState)}>
        {({ index, readModels, feed }) => (
          <Card className="p-5 sm:p-6">
            <Facts
              facts={[
                [t.documents, figure(index.documents)],
                [t.segments, figure(index.segments)],
                [t.size, bytes(index.bytes)],
                [t.indexPosition, position(index.sequence)],
                [t.modelsPosition, position(readModels.sequence)],
                [t.listeners, figure(feed.listeners)],
              ]}
            />
          </Card>
        )}
      </Answer>
    </Part>
  );
}
