import type { PropertyDetail } from "#app/lib/api/types.ts";
import { formatArea } from "#app/lib/format/format.ts";
import { useLocale } from "#app/lib/i18n/locale.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { roomNames } from "#app/lib/vocabulary/rooms.gen.ts";
import { detailMessages } from "../../detail-messages.ts";
import { FloorPlan } from "./floor-plan.tsx";
import { roomsMessages } from "./rooms-messages.ts";

/** The rooms of a home, with its floor plan. */
export function Rooms({ property }: { property: PropertyDetail }) {
  const t = useMessages(roomsMessages);
  const rooms = property.particulars?.rooms ?? [];
  const plan = property.floorPlan;
  if (rooms.length === 0 && !plan) return null;
  return (
    <section aria-labelledby="rooms" className="print:hidden">
      <h2 id="rooms" className="text-heading">
        {rooms.length === 0 ? t.plan : plan ? t.title : t.rooms}
      </h2>
      <div className="mt-3 grid gap-x-8 gap-y-6 md:grid-cols-2">
        {rooms.length > 0 ? <RoomTable rooms={rooms} /> : null}
        {plan ? <FloorPlan plan={plan} title={property.title} /> : null}
      </div>
    </section>
  );
}

type Room = NonNullable<NonNullable<PropertyDetail["particulars"]>["rooms"]>[number];

function RoomTable({ rooms }: { rooms: readonly Room[] }) {
  const locale = useLocale();
  const t = useMessages(roomsMessages);
  const d = useMessages(detailMessages);
  const names = useMessages(roomNames);
  const hasFloors = new Set(rooms.map(({ floor }) => floor).filter(Boolean)).size > 1;
  return (
    <table className="figures">
      <thead className="sr-only">
        <tr>
          <th scope="col">{t.room}</th>
          {hasFloors ? <th scope="col">{t.floor}</th> : null}
          <th scope="col">{t.area}</th>
        </tr>
      </thead>
      <tbody>
        {rooms.map(({ kind, floor, area }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rooms have no names of their own
          <tr key={index}>
            <th scope="row">{roomName(rooms, index, names[kind])}</th>
            {hasFloors ? <td>{floor ? d.floorName(floor) : null}</td> : null}
            <td>{area ? formatArea(locale, area) : null}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Returns a room's name, numbered if there are several of its kind, such as `Bedroom 2`. */
function roomName(rooms: readonly Room[], index: number, name: string): string {
  const isSameKind = ({ kind }: Room) => kind === rooms[index]?.kind;
  if (rooms.filter(isSameKind).length < 2) return name;
  return `${name} ${rooms.slice(0, index + 1).filter(isSameKind).length}`;
}
