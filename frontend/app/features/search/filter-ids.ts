/** The element ids of the filter form and its panel, for components outside them. */
export const FILTERS_FORM = "filters-form";
export const FILTERS_PANEL = "filters";
