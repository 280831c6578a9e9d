import { useState } from "react";
import { addToast } from "#app/lib/toast/toasts.ts";
import { Button } from "#app/ui/button.tsx";
import { Combobox } from "#app/ui/combobox.tsx";
import { CloseDialog, Dialog, Sheet } from "#app/ui/dialog.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Menu } from "#app/ui/menu.tsx";
import { Sample, SampleGroup } from "#app/ui/sample.tsx";
import type { Option } from "#app/ui/select.tsx";
import { Slider } from "#app/ui/slider.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import { Tooltip } from "#app/ui/tooltip.tsx";

const TOWNS = ["Almuñécar", "Competa", "Frigiliana", "Maro", "Nerja", "Torrox"].map((label) => ({
  value: label.toLowerCase(),
  label,
  disabled: label === "Maro",
}));

const DECORATED_OPTIONS: readonly Option[] = [
  { value: "house", label: "A drawing", icon: "house" },
  { value: "ann", label: "A face", avatar: { name: "Ann Prior" } },
  { value: "sold", label: "A state", chip: "clay" },
  { value: "later", label: "Not now", disabled: true },
];

const euros = (value: number) => `€${value.toLocaleString("en-GB")}`;

/** Overlays and the components that need JavaScript. */
export function OverlaySamples() {
  const [chosen, setChosen] = useState("nothing yet");
  return (
    <SampleGroup name="With a script">
      <Sample name="Dialog">
        <Dialog
          title="Withdraw the home?"
          description="It is taken off the site at once. Its page says what became of it."
          trigger={<Button look="outline">Withdraw</Button>}
        >
          <div className="flex flex-wrap gap-3">
            <CloseDialog>
              <Button onClick={() => setChosen("withdrawn")}>Withdraw it</Button>
            </CloseDialog>
            <CloseDialog>
              <Button look="outline">Keep it</Button>
            </CloseDialog>
          </div>
        </Dialog>
        <Sheet title="Filters" trigger={<Button look="outline">Open a sheet</Button>}>
          <div className="grid gap-5">
            <TextField label="Words" name="words" />
            <Combobox label="Town of the sheet" name="sheet-town" options={TOWNS} />
          </div>
        </Sheet>
      </Sample>
      <Sample name="Menu">
        <Menu
          trigger={
            <Button look="outline">
              Actions
              <Icon name="chevron" className="size-4" />
            </Button>
          }
          entries={[
            { label: "Copy", icon: "copy", onChoose: () => setChosen("copied") },
            { label: "Print", icon: "print", onChoose: () => setChosen("printed") },
            { label: "Not now", disabled: true },
            { label: "To the homes", icon: "house", to: "/property-for-sale" },
          ]}
        />
        <p role="status">Last chosen: {chosen}</p>
      </Sample>
      <Sample name="Tabs">
        <div className="w-full">
          <Tabs
            label="Enquiries"
            tabs={[
              { value: "new", label: "New", content: "What has just come in." },
              {
                value: "open",
                label: "In hand",
                content: <TextField label="A note" name="note" />,
              },
              { value: "done", label: "Done", content: "What is answered." },
            ]}
          />
        </div>
      </Sample>
      <Sample name="Tooltip">
        <Tooltip text="Print this page">
          <button type="button" aria-label="Print this page" className="close-button">
            <Icon name="print" />
          </button>
        </Tooltip>
      </Sample>
      <Sample name="Toast">
        <Button look="outline" onClick={() => addToast({ title: "The link is copied" })}>
          Say something
        </Button>
        <Button
          look="outline"
          onClick={() =>
            addToast({
              title: "The search is removed",
              description: "Houses in Nerja",
              icon: "check",
              color: "leaf",
              actions: [{ label: "Undo", click: () => setChosen("undone") }],
            })
          }
        >
          Offer something
        </Button>
        <Button
          look="outline"
          onClick={() =>
            addToast({
              title: "It could not be kept",
              icon: "alert",
              color: "clay",
              callback: () => setChosen("over"),
            })
          }
        >
          Report a fault
        </Button>
        <Button
          look="outline"
          onClick={() =>
            addToast({
              title: "Ann Prior has answered",
              avatar: { name: "Ann Prior" },
              closeButton: false,
              click: () => setChosen("looked at"),
            })
          }
        >
          Name somebody
        </Button>
      </Sample>
      <Sample name="Slider">
        <div className="grid w-full max-w-sm gap-6">
          <Slider
            label="Deposit"
            name="deposit"
            min={0}
            max={100}
            step={5}
            defaultValue={30}
            show={(value) => `${value} %`}
          />
          <Slider
            label="Price"
            name="price"
            min={50_000}
            max={1_000_000}
            step={50_000}
            defaultValue={[200_000, 600_000]}
            thumbs={["Lowest price", "Highest price"]}
            show={euros}
          />
          <Slider label="Disabled" name="off" min={0} max={10} defaultValue={4} disabled />
        </div>
      </Sample>
      <Sample name="Combobox">
        <div className="grid w-full gap-x-8 gap-y-6 sm:grid-cols-2 lg:grid-cols-3">
          <Combobox label="Town" name="town" options={TOWNS} placeholder="Type a name" />
          <Combobox
            label="Town, chosen"
            name="chosen-town"
            options={TOWNS}
            defaultValue="nerja"
            hint="Where the home is."
          />
          <Combobox label="No towns" name="no-town" options={[]} />
          <Combobox label="With marks" name="mark" options={DECORATED_OPTIONS} />
          <Combobox
            label="Town, missing"
            name="missing-town"
            options={TOWNS}
            required
            error="Choose a town."
          />
        </div>
      </Sample>
    </SampleGroup>
  );
}
