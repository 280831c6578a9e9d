import { type FormEvent, useState } from "react";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Checkbox } from "#app/ui/checkbox.tsx";
import { Chip } from "#app/ui/chip.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ErrorSummary, type FormError } from "#app/ui/error-summary.tsx";
import { RequiredNote } from "#app/ui/field.tsx";
import { RadioGroup } from "#app/ui/radio-group.tsx";
import { Sample, SampleGroup } from "#app/ui/sample.tsx";
import { Select } from "#app/ui/select.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { Table } from "#app/ui/table.tsx";
import { TextArea, TextField } from "#app/ui/text-field.tsx";

const PLACES = [
  { value: "nerja", label: "Nerja" },
  { value: "torrox", label: "Torrox" },
  { value: "maro", label: "Maro", disabled: true },
];

/** The form components, in each state. */
export function FormSamples() {
  return (
    <SampleGroup name="Forms">
      <Sample name="Text field">
        <Columns>
          <TextField label="Empty" name="empty" />
          <TextField label="With a hint" name="hinted" hint="What it is for." required />
          <TextField label="Filled" name="filled" defaultValue="Ann Prior" />
          <TextField
            label="With an error"
            name="wrong"
            type="email"
            defaultValue="ann"
            error="An address has an @ in it."
          />
          <TextField label="Disabled" name="disabled" disabled defaultValue="Not now" />
          <TextField label="To be read" name="read" readOnly defaultValue="AH-1042" />
          <TextField label="A figure" name="figure" type="number" unit="€" defaultValue={325_000} />
          <TextField label="A telephone" name="telephone" type="tel" placeholder="+34" />
        </Columns>
      </Sample>
      <Sample name="Text area">
        <Columns>
          <TextArea label="Empty" name="area" hint="A few lines." rows={3} />
          <TextArea label="Filled" name="text" rows={3} defaultValue="I should like to see it." />
          <TextArea
            label="With an error"
            name="short"
            rows={3}
            required
            error="A word or two more."
          />
        </Columns>
      </Sample>
      <Sample name="Select">
        <Columns>
          <Select label="Nothing chosen" name="place" options={PLACES} none />
          <Select label="Chosen" name="chosen" options={PLACES} defaultValue="torrox" />
          <Select
            label="With an error"
            name="missing"
            options={PLACES}
            none
            required
            error="Choose a place."
          />
          <Select label="Disabled" name="fixed" options={PLACES} disabled />
        </Columns>
      </Sample>
      <Sample name="Checkbox">
        <Columns>
          <Checkbox label="Not ticked" name="a" />
          <Checkbox label="Ticked" name="b" defaultChecked hint="With a hint." />
          <Checkbox
            label="With an error"
            name="c"
            required
            error="Without it nothing can be sent."
          />
          <Checkbox label="Disabled" name="d" disabled defaultChecked />
        </Columns>
      </Sample>
      <Sample name="Radio group">
        <Columns>
          <RadioGroup label="Chosen" name="radio" options={PLACES} defaultValue="nerja" />
          <RadioGroup
            label="With an error"
            name="none"
            options={PLACES}
            required
            error="Choose a place."
          />
          <RadioGroup label="Disabled" name="off" options={PLACES} defaultValue="nerja" disabled />
        </Columns>
      </Sample>
      <Sample name="A form">
        <FormSample />
      </Sample>
      <Sample name="Button, under way">
        <Button>At rest</Button>
        <Button busy>Sending</Button>
        <Button look="outline" busy>
          Sending
        </Button>
        <Button look="quiet" disabled>
          Disabled
        </Button>
      </Sample>
      <Sample name="Badge">
        <Badge>Plain</Badge>
        <Badge look="photo">On a photograph</Badge>
        <Badge look="sun">Reduced</Badge>
        {(["leaf", "sun", "clay", "sea", "muted"] as const).map((dot) => (
          <Badge key={dot} dot={dot}>
            {dot}
          </Badge>
        ))}
      </Sample>
      <Sample name="Chip">
        {["Nerja", "Pool", "Up to €400,000", "A link"].map((chip) => (
          <Chip key={chip} to="/catalogue" remove={`Remove: ${chip}`}>
            {chip}
          </Chip>
        ))}
      </Sample>
      <Sample name="Card">
        <Card className="max-w-sm p-6">
          <p className="font-display text-xl">A sheet of its own</p>
          <p className="mt-2 text-muted">On the page's ground.</p>
        </Card>
      </Sample>
      <Sample name="Table">
        <Table caption="Enquiries" className="w-full max-w-xl">
          <thead>
            <tr>
              <th scope="col">Home</th>
              <th scope="col">From</th>
              <th scope="col" className="figure">
                Price
              </th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">AH-1042</th>
              <td>Ann Prior</td>
              <td className="figure">€325,000</td>
            </tr>
            <tr>
              <th scope="row">AH-1043</th>
              <td>Juan Ortega</td>
              <td className="figure">€1,250,000</td>
            </tr>
          </tbody>
        </Table>
      </Sample>
      <Sample name="Skeleton">
        <div className="grid gap-3" style={{ width: "16rem" }}>
          <Skeleton className="h-6 w-1/3" />
          <Skeleton className="h-5 w-5/6" />
          <Skeleton className="h-4 w-1/2" />
        </div>
      </Sample>
      <Sample name="Empty">
        <div className="w-full">
          <EmptyState title="No enquiries yet">
            <p className="mt-2 max-w-[48ch] text-muted">They stand here as soon as one is sent.</p>
          </EmptyState>
        </div>
      </Sample>
    </SampleGroup>
  );
}

function Columns({ children }: { children: React.ReactNode }) {
  return (
    <div className="grid w-full gap-x-8 gap-y-6 sm:grid-cols-2 lg:grid-cols-3">{children}</div>
  );
}

/** A form that is never sent; it shows missing values at the top and at each field. */
function FormSample() {
  const [errors, setErrors] = useState<readonly FormError[]>([]);
  const errorOf = (field: string) => errors.find((each) => each.field === field)?.message;
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setErrors([
      ...(fields.get("name") ? [] : [{ field: "letter-name", message: "Tell us your name." }]),
      ...(fields.get("kind")
        ? []
        : [{ field: "letter-kind", message: "Choose what it is about." }]),
    ]);
  };
  return (
    <form noValidate onSubmit={send} className="grid w-full max-w-xl gap-5">
      <ErrorSummary errors={errors} />
      <RequiredNote />
      <TextField
        id="letter-name"
        label="Your name"
        name="name"
        autoComplete="name"
        required
        error={errorOf("letter-name")}
      />
      <RadioGroup
        id="letter-kind"
        label="What it is about"
        name="kind"
        required
        options={[
          { value: "viewing", label: "A viewing" },
          { value: "sale", label: "A sale" },
        ]}
        error={errorOf("letter-kind")}
      />
      <TextArea id="letter-text" label="Message" name="message" defaultValue="Hello," rows={3} />
      <p>
        <Button type="submit">Send</Button>
      </p>
    </form>
  );
}
