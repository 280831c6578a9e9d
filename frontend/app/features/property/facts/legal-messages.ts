import { defineMessages } from "#app/lib/i18n/messages.ts";

export const legalMessages = defineMessages({
  en: {
    title: "Before you sign",
    priceTitle: "Price",
    sheetTitle: "Information sheet (DIA)",
    sheet:
      "You have a right to a copy of the abridged information document of this home, free of charge: Decree 218/2005 of the Junta de Andalucía.",
    sheetAsk: "Ask for the sheet",
    sheetLine: (reference: string) =>
      `Please send me the abridged information document (DIA) of ${reference}.`,
    depositTitle: "Before any deposit",
    deposit:
      "You receive in writing who sells, the whole price, useful and built areas, age, services, energy certificate, accessibility, occupation and charges: Law 12/2023, articles 30 and 31.",
    onAccountTitle: "What you pay while it is being built",
    onAccount:
      "Insurance or a bank must guarantee every payment on account until the home is handed over: Law 38/1999, first additional provision.",
    buildingTitle: "Building guarantee",
    building:
      "Ten years for the structure, three for faults that make it unfit to live in, one for finishes: Law 38/1999, article 17.",
    certificateTitle: "Energy certificate",
    certificate:
      "The energy rating in our advertisements follows Royal Decree 390/2021. The certificate itself is at your disposal in the office.",
    papersTitle: "Before any deposit",
    papers:
      "Read a recent extract from the Land Registry (nota simple): it says who owns it, how large it is and what charges it carries.",
    papersAsk: "Ask for the papers",
    papersLine: (reference: string) => `Please send me the papers that you have of ${reference}.`,
    garageTitle: "How it is registered",
    garage:
      "A space is registered either by itself or as a share of the whole garage with the use of one space. The extract says which, and whether the storeroom is part of it.",
    communityTitle: "Community of owners",
    community:
      "At the notary's the seller shows a certificate of what is owed to the community: Law 49/1960, article 9.",
    planningTitle: "What may be built",
    planning:
      "The town hall's plan decides it, under Law 7/2021 of Andalusia. Ask the town hall for its written planning report on this plot before you commit yourself.",
    waterTitle: "Access and water",
    water:
      "On country land, have the right of way and the right to water shown to you in writing, and compare the boundaries of registry and cadastre.",
    licenceTitle: "Licence for your business",
    licence:
      "Whether it may open here depends on the use that the town hall allows and on a licence or declaration of your own. Ask the town hall before you sign.",
    tenantTitle: "If it is let",
    tenant:
      "A tenant may have the right to buy it first, unless the contract says otherwise: Law 29/1994, article 31.",
  },
  es: {
    title: "Antes de firmar",
    priceTitle: "Precio",
    sheetTitle: "Documento informativo (DIA)",
    sheet:
      "El consumidor tiene derecho a que se le entregue gratuitamente una copia del correspondiente documento informativo abreviado: Decreto 218/2005 de la Junta de Andalucía.",
    sheetAsk: "Pedir el documento",
    sheetLine: (reference) =>
      `Les ruego que me envíen el documento informativo abreviado (DIA) de ${reference}.`,
    depositTitle: "Antes de cualquier señal",
    deposit:
      "Recibirá por escrito quién vende, el precio total, las superficies útil y construida, la antigüedad, los servicios, el certificado energético, la accesibilidad, la ocupación y las cargas: Ley 12/2023, artículos 30 y 31.",
    onAccountTitle: "Lo que paga durante la obra",
    onAccount:
      "Un seguro o un aval bancario debe garantizar cada cantidad entregada a cuenta hasta la entrega de la vivienda: Ley 38/1999, disposición adicional primera.",
    buildingTitle: "Garantía de la construcción",
    building:
      "Diez años para la estructura, tres para los defectos que impidan la habitabilidad y uno para los acabados: Ley 38/1999, artículo 17.",
    certificateTitle: "Certificado energético",
    certificate:
      "La calificación energética de nuestros anuncios sigue el Real Decreto 390/2021. El certificado está a su disposición en la oficina.",
    papersTitle: "Antes de cualquier señal",
    papers:
      "Lea una nota simple reciente del Registro de la Propiedad: dice de quién es, qué superficie tiene y qué cargas soporta.",
    papersAsk: "Pedir la documentación",
    papersLine: (reference) =>
      `Les ruego que me envíen la documentación que tengan de ${reference}.`,
    garageTitle: "Cómo está inscrito",
    garage:
      "Una plaza puede estar inscrita como finca propia o como participación del garaje con el uso de una plaza. La nota simple dice cuál es el caso, y si incluye el trastero.",
    communityTitle: "Comunidad de propietarios",
    community:
      "En la notaría, quien vende aporta un certificado de las deudas con la comunidad: Ley 49/1960, artículo 9.",
    planningTitle: "Qué se puede construir",
    planning:
      "Lo decide el planeamiento municipal, conforme a la Ley 7/2021 de Andalucía. Pida al ayuntamiento un informe urbanístico por escrito antes de comprometerse.",
    waterTitle: "Acceso y agua",
    water:
      "En suelo rústico, pida por escrito el derecho de paso y el derecho al agua, y compare los linderos del registro con los del catastro.",
    licenceTitle: "Licencia para su negocio",
    licence:
      "Poder abrirlo aquí depende del uso que admita el ayuntamiento y de una licencia o declaración responsable suya. Pregunte en el ayuntamiento antes de firmar.",
    tenantTitle: "Si está alquilado",
    tenant:
      "El inquilino puede tener derecho a comprarlo antes que nadie, salvo que el contrato diga otra cosa: Ley 29/1994, artículo 31.",
  },
});
