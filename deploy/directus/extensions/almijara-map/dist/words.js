// What the map says, in the languages of the Studio's editors. By `locale` the content's translations
// are known too.

export const WORDS = {
  en: {
    locale: 'en-GB',
    map: 'Map. Press where it lies, or drag the pin.',
    keys: 'With keys: the arrows move the pin, ten times as far with Shift; + and − zoom; Enter sets the pin where there is none.',
    rough: 'Coast and borders are drawn roughly, streets not at all.',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    coordinates: 'Latitude, longitude',
    putAt: (place) => `Put it at ${place}`,
    remove: 'Remove the pin',
    empty: 'No pin is set.',
    missing: { lat: 'The latitude is missing.', lng: 'The longitude is missing.' },
    beyond: {
      lat: 'The latitude is no number from −90 to 90.',
      lng: 'The longitude is no number from −180 to 180.',
    },
    away: 'It lies far outside the area that is drawn here.',
    notRead: 'These are no coordinates. Write them as 36.749, -3.872.',
    at: (place) => `At ${place}.`,
    from: (distance, way, place) => `${distance} km ${way} of ${place}.`,
    ways: ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'],
  },
  es: {
    locale: 'es-ES',
    map: 'Mapa. Pulse donde está o arrastre el marcador.',
    keys: 'Con el teclado: las flechas mueven el marcador, diez veces más con Mayús; + y − acercan y alejan; Intro lo pone si no lo hay.',
    rough: 'La costa y los límites están dibujados a grandes rasgos; las calles, no.',
    zoomIn: 'Acercar',
    zoomOut: 'Alejar',
    coordinates: 'Latitud, longitud',
    putAt: (place) => `Situarlo en ${place}`,
    remove: 'Quitar el marcador',
    empty: 'No hay marcador.',
    missing: { lat: 'Falta la latitud.', lng: 'Falta la longitud.' },
    beyond: {
      lat: 'La latitud no es un número de −90 a 90.',
      lng: 'La longitud no es un número de −180 a 180.',
    },
    away: 'Está muy lejos de la zona que se dibuja aquí.',
    notRead: 'No son coordenadas. Escríbalas así: 36.749, -3.872.',
    at: (place) => `En ${place}.`,
    from: (distance, way, place) => `A ${distance} km al ${way} de ${place}.`,
    ways: ['norte', 'noreste', 'este', 'sureste', 'sur', 'suroeste', 'oeste', 'noroeste'],
  },
}
