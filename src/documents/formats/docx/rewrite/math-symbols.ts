const GREEK =
  'α alpha β beta γ gamma δ delta ϵ epsilon ε varepsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu ν nu ' +
  'ξ xi π pi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon ϕ phi φ varphi χ chi ψ psi ω omega ' +
  'Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega';
const OPERATORS =
  '× times ÷ div ± pm ∓ mp ⋅ cdot · cdot ∗ ast ∘ circ ≤ leq ≥ geq ≪ ll ≫ gg ≠ neq ≈ approx ≡ equiv ≅ cong ∼ sim ∝ propto ' +
  '∞ infty ∂ partial ∇ nabla ∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ∪ cup ∩ cap ∅ emptyset ∀ forall ' +
  '∃ exists ¬ neg ∧ wedge ∨ vee ⊕ oplus ⊗ otimes ⊥ perp ∥ parallel ∠ angle → to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ' +
  '⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto … ldots ⋯ cdots ⋮ vdots ⋱ ddots ′ prime ∑ sum ∏ prod ∫ int ℏ hbar ℓ ell';

const COMMANDS = new Map<string, string>();
const words = `${GREEK} ${OPERATORS}`.split(' ');
for (let index = 0; index + 1 < words.length; index += 2)
  COMMANDS.set(words[index] ?? '', words[index + 1] ?? '');

/** Text of an equation with what LaTeX has commands for written as commands, and its special characters escaped. */
export function escapeMath(text: string): string {
  let latex = '';
  // Italic and bold mathematical letters have code points of their own: fold them to plain ones.
  for (const character of text.replace(/[\u{1d400}-\u{1d7ff}]/gu, (letter) => letter.normalize('NFKC'))) {
    const command = COMMANDS.get(character);
    if (command !== undefined) latex += `\\${command} `;
    else if ('#$%&_{}'.includes(character)) latex += `\\${character}`;
    else if (character === '\\') latex += '\\backslash ';
    else if (character === '~') latex += '\\sim ';
    else if (character === '\u2061' || character === '\u200b') latex += '';
    else if (character === '\u2212') latex += '-';
    else latex += character;
  }
  return latex;
}
