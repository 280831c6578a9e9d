// Made by `npm run api:types` from services/command; not to be edited.

/** The least and the most characters of each field. */
export const LENGTHS = {
  "address": {
    "min": 5,
    "max": 200
  },
  "email": {
    "min": 1,
    "max": 200
  },
  "firstName": {
    "min": 1,
    "max": 100
  },
  "lastName": {
    "min": 1,
    "max": 100
  },
  "message": {
    "min": 10,
    "max": 2000
  },
  "mobile": {
    "min": 1,
    "max": 40
  },
  "name": {
    "min": 1,
    "max": 100
  },
  "phone": {
    "min": 1,
    "max": 40
  }
} as const;

/** The least and the most square metres of what is to be valued, and the most pictures of it. */
export const AREA = {"min":10,"max":100000} as const;
export const MAX_PICTURES = 5;

/** How many times may be proposed for a viewing, and how many days ahead. */
export const MAX_TIMES = 3;
export const MAX_DAYS = 60;

/** What each kind of enquiry can't do without, beside somewhere to answer to. */
export const REQUIRED = {
  "callback": [
    "name"
  ],
  "general": [
    "name",
    "message"
  ],
  "property": [
    "name",
    "message",
    "ref"
  ],
  "valuation": [
    "name",
    "address",
    "propertyKind"
  ],
  "viewing": [
    "name",
    "ref",
    "times"
  ]
} as const;
