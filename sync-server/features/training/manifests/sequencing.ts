import { elementIn, elementsIn, type XmlElement } from '#shared/formats/omanual/xml-tree.ts';

import { packageLimits, PackageRefused } from '../package.ts';
import type {
  RollupRule,
  SequencedActivity,
  SequencedObjective,
  SequencingControls,
  SequencingRule,
} from '../sequencing.ts';
import { attributeOf, numberIn, textAt } from './xml.ts';

/** Elements that only packages with sequencing have. Of objectives only mapped ones count: others set a mastery score. */
const sequencingElements = [
  'controlMode',
  'sequencingRules',
  'limitConditions',
  'rollupRules',
  'randomizationControls',
  'deliveryControls',
  'constrainedChoiceConsiderations',
  'rollupConsiderations',
];

/**
 * The tree of an organization; undefined if its manifest has no sequencing, so that any order is allowed. Throws
 * PackageRefused if it has too much.
 */
export function readSequencing(
  manifest: XmlElement,
  organization: XmlElement,
): SequencedActivity | undefined {
  const shared = sharedSequencing(manifest);
  const items = [organization, ...itemsWithin(organization)];
  checkSize(items, shared);
  const hasSequencing = items.some((item) => {
    const parts = partsOf(item, shared);
    return (
      sequencingElements.some((name) => parts(name) !== undefined) || objectivesOf(parts, '').some(isMapped)
    );
  });
  return hasSequencing ? activityOf(organization, shared) : undefined;
}

/** Checks the size of sequencing. A shared collection is read, and counted, for each part that refers to it. */
function checkSize(items: XmlElement[], shared: ReadonlyMap<string, XmlElement>): void {
  const sizes = new Map([...shared.values()].map((element) => [element, sizeOf(element)]));
  let size = 0;
  for (const item of items) {
    const own = elementIn(item, 'sequencing');
    if (own === undefined) continue;
    const referred = shared.get(attributeOf(own, 'IDRef'));
    size += sizeOf(own) + (referred === undefined ? 0 : (sizes.get(referred) ?? 0));
  }
  if (size > packageLimits.sequencing)
    throw new PackageRefused(
      `The sequencing of the parts has more than ${packageLimits.sequencing} elements and attributes, counting what several parts share for each of them`,
    );
}

/** Number of elements and attributes of an element and its descendants. */
function sizeOf(element: XmlElement): number {
  return elementsIn(element).reduce((sum, one) => sum + sizeOf(one), 1 + element.attributes.size);
}

function itemsWithin(item: XmlElement): XmlElement[] {
  return elementsIn(item, 'item').flatMap((one) => [one, ...itemsWithin(one)]);
}

/** Finds an element of an item's sequencing: its own, or else that of the collection that it refers to. */
type Parts = (name: string) => XmlElement | undefined;

function sharedSequencing(manifest: XmlElement): Map<string, XmlElement> {
  const collection = elementIn(manifest, 'sequencingCollection');
  const all = collection === undefined ? [] : elementsIn(collection, 'sequencing');
  return new Map(all.map((one) => [attributeOf(one, 'ID'), one]));
}

function partsOf(item: XmlElement, shared: ReadonlyMap<string, XmlElement>): Parts {
  const own = elementIn(item, 'sequencing');
  const referred = own === undefined ? undefined : shared.get(attributeOf(own, 'IDRef'));
  return (name) =>
    (own === undefined ? undefined : elementIn(own, name)) ??
    (referred === undefined ? undefined : elementIn(referred, name));
}

function activityOf(item: XmlElement, shared: ReadonlyMap<string, XmlElement>): SequencedActivity {
  const parts = partsOf(item, shared);
  const rules = parts('sequencingRules');
  const rollup = parts('rollupRules');
  const id = attributeOf(item, 'identifier');
  const objectives = objectivesOf(parts, id);
  const primary = objectives.find(({ isPrimary }) => isPrimary);
  const limit = numberIn(attributeOf(parts('limitConditions') ?? item, 'attemptLimit'));
  return {
    id,
    title: textAt(item, 'title') || id,
    isVisible: attributeOf(item, 'isvisible') !== 'false',
    attemptLimit: limit === null ? null : Math.trunc(limit),
    sequencingControls: {
      ...settings(parts('controlMode'), { switches: controlSwitches }),
      ...settings(parts('constrainedChoiceConsiderations'), {
        switches: ['preventActivation', 'constrainChoice'],
      }),
      ...settings(rollup, {
        switches: ['rollupObjectiveSatisfied', 'rollupProgressCompletion'],
        numbers: ['objectiveMeasureWeight'],
      }),
      ...randomization(parts('randomizationControls')),
    },
    deliveryControls: settings(parts('deliveryControls'), {
      switches: ['tracked', 'completionSetByContent', 'objectiveSetByContent'],
    }),
    completionThreshold: thresholdOf(item),
    rollupConsiderations: settings(parts('rollupConsiderations'), {
      switches: ['measureSatisfactionIfActive'],
      words: [
        'requiredForSatisfied',
        'requiredForNotSatisfied',
        'requiredForCompleted',
        'requiredForIncomplete',
      ],
    }),
    sequencingRules: {
      preConditionRules: rulesOf(rules, 'preConditionRule'),
      exitConditionRules: rulesOf(rules, 'exitConditionRule'),
      postConditionRules: rulesOf(rules, 'postConditionRule'),
    },
    rollupRules: { rules: rollup === undefined ? [] : elementsIn(rollup, 'rollupRule').map(rollupRuleOf) },
    ...(primary === undefined ? {} : { primaryObjective: primary }),
    objectives: objectives.filter((one) => one !== primary),
    hideLmsUi: hiddenControls(item),
    children: elementsIn(item, 'item').map((child) => activityOf(child, shared)),
  };
}

const controlSwitches = [
  'choice',
  'choiceExit',
  'flow',
  'forwardOnly',
  'useCurrentAttemptObjectiveInfo',
  'useCurrentAttemptProgressInfo',
];

interface SettingNames {
  switches?: readonly string[];
  numbers?: readonly string[];
  words?: readonly string[];
}

/** The existing attributes, by their names in the standard. */
function settings(element: XmlElement | undefined, names: SettingNames): SequencingControls {
  const found: SequencingControls = {};
  if (element === undefined) return found;
  for (const name of names.switches ?? []) {
    const text = attributeOf(element, name).toLowerCase();
    if (text !== '') found[name] = text === 'true' || text === '1';
  }
  for (const name of names.numbers ?? []) {
    const number = numberIn(attributeOf(element, name));
    if (number !== null) found[name] = number;
  }
  for (const name of names.words ?? []) {
    const word = attributeOf(element, name);
    if (word !== '') found[name] = word;
  }
  return found;
}

function randomization(element: XmlElement | undefined): SequencingControls {
  const { reorderChildren, ...found } = settings(element, {
    switches: ['reorderChildren'],
    numbers: ['selectCount'],
    words: ['randomizationTiming', 'selectionTiming'],
  });
  return reorderChildren === undefined
    ? found
    : { ...found, reorderChildren, randomizeChildren: reorderChildren };
}

/** The completion threshold: attributes in the 4th edition, only a number in earlier editions. */
function thresholdOf(item: XmlElement): SequencingControls {
  const element = elementIn(item, 'completionThreshold');
  const found = settings(element, {
    switches: ['completedByMeasure'],
    numbers: ['minProgressMeasure', 'progressWeight'],
  });
  const alone = numberIn(textAt(item, 'completionThreshold'));
  return alone === null ? found : { completedByMeasure: true, minProgressMeasure: alone, ...found };
}

/** The objectives of an item. A primary objective without an id gets one derived from `id`, the item's. */
function objectivesOf(parts: Parts, id: string): SequencedObjective[] {
  const list = parts('objectives');
  if (list === undefined) return [];
  return [
    ...elementsIn(list, 'primaryObjective').map((one) => objectiveOf(one, true, `${id}.primary`)),
    ...elementsIn(list, 'objective').map((one) => objectiveOf(one, false, '')),
  ];
}

function isMapped({ mapInfo }: SequencedObjective): boolean {
  return mapInfo.length > 0;
}

function objectiveOf(element: XmlElement, isPrimary: boolean, otherwise: string): SequencedObjective {
  return {
    objectiveID: attributeOf(element, 'objectiveID') || otherwise,
    isPrimary,
    satisfiedByMeasure: attributeOf(element, 'satisfiedByMeasure') === 'true',
    minNormalizedMeasure: numberIn(textAt(element, 'minNormalizedMeasure')) ?? 1,
    mapInfo: elementsIn(element, 'mapInfo').map((map) => ({
      targetObjectiveID: attributeOf(map, 'targetObjectiveID'),
      readSatisfiedStatus: attributeOf(map, 'readSatisfiedStatus') !== 'false',
      readNormalizedMeasure: attributeOf(map, 'readNormalizedMeasure') !== 'false',
      writeSatisfiedStatus: attributeOf(map, 'writeSatisfiedStatus') === 'true',
      writeNormalizedMeasure: attributeOf(map, 'writeNormalizedMeasure') === 'true',
    })),
  };
}

function rulesOf(rules: XmlElement | undefined, name: string): SequencingRule[] {
  return rules === undefined ? [] : elementsIn(rules, name).map(ruleOf);
}

function ruleOf(element: XmlElement): SequencingRule {
  const conditions = elementIn(element, 'ruleConditions');
  return {
    action: actionOf(element, 'ruleAction'),
    conditionCombination: combinationOf(conditions, 'all'),
    conditions: conditions === undefined ? [] : elementsIn(conditions, 'ruleCondition').map(conditionOf),
  };
}

const childSets = ['all', 'any', 'none', 'atLeastCount', 'atLeastPercent'] as const;

function rollupRuleOf(element: XmlElement): RollupRule {
  const conditions = elementIn(element, 'rollupConditions');
  return {
    action: actionOf(element, 'rollupAction'),
    conditionCombination: combinationOf(conditions, 'any'),
    conditions: conditions === undefined ? [] : elementsIn(conditions, 'rollupCondition').map(conditionOf),
    consideration: childSets.find((one) => one === attributeOf(element, 'childActivitySet')) ?? 'all',
    minimumCount: numberIn(attributeOf(element, 'minimumCount')) ?? 0,
    minimumPercent: numberIn(attributeOf(element, 'minimumPercent')) ?? 0,
  };
}

function actionOf(element: XmlElement, name: string): string {
  const action = elementIn(element, name);
  const text = action === undefined ? '' : attributeOf(action, 'action');
  return text === 'hideFromChoice' ? 'hiddenFromChoice' : text;
}

function combinationOf(conditions: XmlElement | undefined, otherwise: 'all' | 'any'): 'all' | 'any' {
  const text = conditions === undefined ? '' : attributeOf(conditions, 'conditionCombination');
  return text === 'all' || text === 'any' ? text : otherwise;
}

function conditionOf(element: XmlElement): SequencingRule['conditions'][number] {
  const objective = attributeOf(element, 'referencedObjective');
  const threshold = numberIn(attributeOf(element, 'measureThreshold'));
  return {
    condition: attributeOf(element, 'condition'),
    ...(attributeOf(element, 'operator') === 'not' ? { operator: 'not' } : {}),
    ...(objective === '' ? {} : { referencedObjective: objective }),
    ...(threshold === null ? {} : { parameters: { threshold } }),
  };
}

function hiddenControls(item: XmlElement): string[] {
  const presentation = elementIn(item, 'presentation');
  const navigation = presentation === undefined ? undefined : elementIn(presentation, 'navigationInterface');
  return navigation === undefined
    ? []
    : elementsIn(navigation, 'hideLMSUI').flatMap((one) => textAt(one) || []);
}
