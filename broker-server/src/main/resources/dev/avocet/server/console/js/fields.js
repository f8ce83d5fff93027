// One field of a form for each kind of value that the broker's description of a property tells.
import { classes, html } from './ui.js';

const MASK = '********'; // what is shown of a password that is set
const ONE = /Takes the name of an? (\w+)\./;
const SEVERAL = /Takes names of up to \d+ (\w+) objects/;
const SOME = /Takes some of ([\w, ]+)\./;
const FILE = /^(Certificate|Key|CertificateName|TrustedCertificate|KeyFileName|CRLSource|DeltaCRLSource|PreSharedKeys|KeySetSource)$/;

const partsOf = (text) => String(text ?? '').split(',').map((each) => each.trim()).filter((each) => each !== '');

/** What a property refers to: a type of objects, and whether several. */
export function referenceOf(property) {
  const one = ONE.exec(property.description);
  const several = SEVERAL.exec(property.description);
  return one ? { type: one[1], several: false } : several ? { type: several[1], several: true } : null;
}

/** What the user wrote, as the broker takes it: a number that is none is sent as it is, and refused with a reason. */
export function plain(property, value) {
  return property.type === 'integer' && /^-?\d{1,15}$/.test(String(value).trim()) ? Number(value) : value;
}

/** What stands between backquotes is code. */
function prose(text) {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}

function Choice({ common, value, usual, choices, onChange }) {
  const known = value === undefined || value === '' || choices.includes(value) ? choices : [value, ...choices];
  return html`<select ...${common} class="input" value=${value ?? ''} onChange=${(event) => onChange(event.target.value)}>
    <option value="">${usual ? `default: ${usual}` : 'none'}</option>
    ${known.map((each) => html`<option key=${each} value=${each}>${each}</option>`)}</select>`;
}

/** In the order in which they are chosen, which is that in which policies are tried. */
function Names({ common, value, choices, onChange }) {
  const chosen = partsOf(value);
  const left = choices.filter((each) => !chosen.includes(each));
  return html`
    <input ...${common} class="input" type="text" autocomplete="off" spellcheck=${false} value=${value ?? ''} placeholder="none"
      onInput=${(event) => onChange(event.target.value)} />
    ${!common.disabled && left.length > 0 && html`
      <select class="input add-name" aria-label=${`Add a name to ${common.name}`} value=""
        onChange=${(event) => { onChange([...chosen, event.target.value].join(',')); event.target.value = ''; }}>
        <option value="">Add …</option>
        ${left.map((each) => html`<option key=${each} value=${each}>${each}</option>`)}</select>`}`;
}

function Some({ common, value, choices, onChange }) {
  const chosen = partsOf(value);
  const toggle = (word, isOn) => onChange(choices.filter((each) => (each === word ? isOn : chosen.includes(each))).join(','));
  return html`<fieldset class="some" id=${common.id} aria-describedby=${common['aria-describedby']}>
    <legend class="hidden">${common.name}</legend>
    ${choices.map((word) => html`<label class="check" key=${word}><input type="checkbox" disabled=${common.disabled} checked=${chosen.includes(word)}
      onChange=${(event) => toggle(word, event.target.checked)} />${word}</label>`)}</fieldset>`;
}

function Written({ common, property, value, required, files, onChange }) {
  const isSet = property.writeOnly && value === MASK;
  const usual = property.default === undefined ? '' : `default: ${property.default}`;
  const isFile = FILE.test(common.name) && files.length > 0;
  return html`<input ...${common} class="input" type=${property.writeOnly ? 'password' : 'text'}
      inputmode=${property.type === 'integer' ? 'numeric' : undefined} required=${required}
      autocomplete=${property.writeOnly ? 'new-password' : 'off'} spellcheck=${false} list=${isFile ? `${common.id}-files` : undefined}
      placeholder=${isSet ? 'set, and not shown' : usual}
      value=${isSet ? '' : value ?? ''} onInput=${(event) => onChange(event.target.value)} />
    ${isFile && html`<datalist id=${`${common.id}-files`}>${files.map((each) => html`<option key=${each} value=${each} />`)}</datalist>`}`;
}

/**
 * A property with its name, its field, what it is for and what is wrong with it.
 * `names` gives the objects of a type, `files` are those that are uploaded, `isChanged` whether it has a change that is not applied.
 */
export function Field({ id, name, property, value, names, files = [], required, problem, disabled, isChanged, onChange }) {
  const common = {
    id, name, disabled, autocapitalize: 'none', 'aria-describedby': `${id}-about`, 'aria-invalid': problem ? 'true' : undefined,
  };
  const reference = referenceOf(property);
  const some = SOME.exec(property.description);
  let input;
  if (property.type === 'boolean') {
    input = html`<${Choice} common=${common} value=${value === undefined || value === '' ? '' : String(value)} choices=${['true', 'false']}
      usual=${property.default === undefined ? '' : String(property.default)}
      onChange=${(chosen) => onChange(chosen === '' ? '' : chosen === 'true')} />`;
  } else if (property.enum) {
    input = html`<${Choice} common=${common} value=${value} usual=${property.default} choices=${property.enum} onChange=${onChange} />`;
  } else if (reference && !reference.several) {
    input = html`<${Choice} common=${common} value=${value} choices=${names(reference.type)} onChange=${onChange} />`;
  } else if (reference) {
    input = html`<${Names} common=${common} value=${value} choices=${names(reference.type)} onChange=${onChange} />`;
  } else if (some) {
    input = html`<${Some} common=${common} value=${value} choices=${partsOf(some[1])} onChange=${onChange} />`;
  } else {
    input = html`<${Written} common=${common} property=${property} value=${value} required=${required} files=${files} onChange=${onChange} />`;
  }
  return html`
    <div class=${classes('form-row', problem && 'has-problem', isChanged && 'is-changed')} data-property=${name}>
      <label for=${id}>${name}${required && html`<span class="muted"> (required)</span>`}</label>
      <div>${input}${problem && html`<p class="field-problem" role="alert">${problem}</p>`}</div>
      <p class="small muted" id=${`${id}-about`}>${prose(property.description)}</p>
    </div>`;
}
