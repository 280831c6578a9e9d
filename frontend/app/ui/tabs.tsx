import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import "../styles/overlays.css";

interface Tab {
  value: string;
  label: string;
  content: ReactNode;
}

interface TabsProps {
  label: string;
  tabs: readonly [Tab, ...Tab[]];
  /** The tab that is selected at first. */
  defaultValue?: string;
}

/** Shows one of several panels. The others stay mounted, so that their state is not lost. */
export function Tabs({ label, tabs, defaultValue = tabs[0].value }: TabsProps) {
  return (
    <Base.Root defaultValue={defaultValue}>
      <Base.List activateOnFocus aria-label={label} className="tabs">
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className="tab">
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} keepMounted className="pt-5">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
