/** The names by which what stands outside the filters finds them: their form and their panel. */
export const FILTERS_FORM = "filters-form";
export const FILTERS_PANEL = "filters";
