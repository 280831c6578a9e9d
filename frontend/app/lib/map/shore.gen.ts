// Made by scripts/cut-coast.ts. © Instituto Geográfico Nacional de España, CC BY 4.0.
export const FRAME = {"west":-4.75,"south":36.2,"east":-3.3,"north":37.25};
/** The corner and the step of the grid that lines are drawn on, in degrees. */
export const GRID = {"west":-4.751918644983499,"south":36.198931706753875,"width":0.002249121470147015,"height":0.001615627204520452};
/** From west to east, as steps on the grid. */
export const SHORE: readonly number[] = [-113,161,32,25,16,5,19,0,38,-12,17,-1,18,3,7,8,16,2,4,7,10,25,8,7,21,5,15,13,15,29,9,11,9,22,17,14,37,-6,36,0,26,2,28,6,12,12,11,1,8,-2,18,-2,19,-9,21,10,14,0,6,5,14,3,19,-5,6,-5,5,-6,5,6,9,-7,7,3,20,-1,6,10,10,-3,17,1,15,-15,7,-3,11,6,11,-8,16,-10,21,0,3,5,21,7,6,9,5,6,15,0,15,6];
