//! The order of providers.

use super::ProviderDraft;

/// Sorts providers so that the first one takes precedence. In Puppet, a class with more superclasses does, whereas the language counts
/// providers. Differences that no order can express are reported.
pub(super) fn sort(drafts: &mut [ProviderDraft]) {
    let levels = |drafts: &[ProviderDraft]| -> Vec<(usize, usize)> {
        drafts.iter().map(|draft| (depth(draft, drafts), draft.provider.depth)).collect()
    };
    let all = levels(drafts);
    let mut pairs = (0..all.len()).flat_map(|later| (0..later).map(move |first| (first, later)));
    // In Puppet the later one takes precedence, here the earlier one.
    let is_wrong = |first: usize, later: usize| match (all.get(first), all.get(later)) {
        (Some(first), Some(later)) => first.1 < later.1 && first.0 >= later.0,
        _ => false,
    };
    if pairs.any(|(first, later)| is_wrong(first, later)) {
        drafts.sort_by_key(|draft| std::cmp::Reverse(draft.provider.depth));
    }
    let all = levels(drafts);
    for (at, (depth, classes)) in all.iter().enumerate() {
        let shadowed = all.iter().take(at).position(|(before, _)| before < depth);
        let Some(first) = shadowed.and_then(|first| drafts.get(first)).filter(|first| *classes <= first.provider.depth) else { continue };
        let reason = format!("in Puppet it does not go before `{}`, which builds upon as many classes", first.provider.name);
        if let Some(draft) = drafts.get_mut(at) {
            let call = draft.provider.call.origin;
            draft.note("provider", &reason, call);
        }
    }
}

/// Returns the number of ancestor providers, as the language counts them.
fn depth(draft: &ProviderDraft, all: &[ProviderDraft]) -> usize {
    let next = |draft: &&ProviderDraft| all.iter().find(|other| Some(&other.provider.name) == draft.parent.as_ref());
    let is_foreign = |draft: &ProviderDraft| draft.parent.as_ref().is_some_and(|parent| parent.contains('/'));
    std::iter::successors(Some(draft), next).take(16).map(|draft| 1 + usize::from(is_foreign(draft))).sum()
}
