/** The USPS codes of states and territories, by lower-case name. */
const CODES = {
  alabama: 'AL', alaska: 'AK', arizona: 'AZ', arkansas: 'AR', california: 'CA', colorado: 'CO',
  connecticut: 'CT', delaware: 'DE', florida: 'FL', georgia: 'GA', hawaii: 'HI', idaho: 'ID',
  illinois: 'IL', indiana: 'IN', iowa: 'IA', kansas: 'KS', kentucky: 'KY', louisiana: 'LA',
  maine: 'ME', maryland: 'MD', massachusetts: 'MA', michigan: 'MI', minnesota: 'MN',
  mississippi: 'MS', missouri: 'MO', montana: 'MT', nebraska: 'NE', nevada: 'NV',
  'new hampshire': 'NH', 'new jersey': 'NJ', 'new mexico': 'NM', 'new york': 'NY',
  'north carolina': 'NC', 'north dakota': 'ND', ohio: 'OH', oklahoma: 'OK', oregon: 'OR',
  pennsylvania: 'PA', 'rhode island': 'RI', 'south carolina': 'SC', 'south dakota': 'SD',
  tennessee: 'TN', texas: 'TX', utah: 'UT', vermont: 'VT', virginia: 'VA', washington: 'WA',
  'west virginia': 'WV', wisconsin: 'WI', wyoming: 'WY', 'district of columbia': 'DC',
  'american samoa': 'AS', guam: 'GU', 'northern mariana islands': 'MP', 'puerto rico': 'PR',
  'virgin islands': 'VI', 'federated states of micronesia': 'FM', 'marshall islands': 'MH',
  palau: 'PW', 'armed forces americas': 'AA', 'armed forces europe': 'AE',
  'armed forces pacific': 'AP',
}

const KNOWN = new Set(Object.values(CODES))

/** The code of a state that is written in full or as a code, or undefined. */
export function stateCode(text) {
  const plain = text.replaceAll('.', '').replace(/\s+/g, ' ')
  const code = plain.toUpperCase()
  return KNOWN.has(code) ? code : CODES[plain.toLowerCase()]
}
