import type { Hours } from './ledger.ts';

/** `config.insights`: what turns hours into energy and energy into emissions. */
export interface EnergyFactors {
  readonly cpuWattsPerVCPU: { readonly amd64: number; readonly arm64: number };
  readonly memoryWattsPerGB: number;
  readonly pue: number;
  readonly gridIntensityGCO2ePerKWh: number;
}

export function energyKWh({ amd64, arm64, memory }: Hours, factors: EnergyFactors): number {
  const wattHours =
    amd64 * factors.cpuWattsPerVCPU.amd64 + arm64 * factors.cpuWattsPerVCPU.arm64 + memory * factors.memoryWattsPerGB;
  return (wattHours * factors.pue) / 1000;
}

export function co2eGrams(kWh: number, factors: EnergyFactors): number {
  return kWh * factors.gridIntensityGCO2ePerKWh;
}

interface FormulaInput {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The configuration value it comes from, or `measured`. */
  readonly source: string;
}

export interface FormulaStep {
  readonly id: 'energyKWh' | 'co2eGrams';
  readonly label: string;
  readonly expression: string;
  readonly inputs: readonly FormulaInput[];
  readonly result: { readonly value: number; readonly unit: string };
}

/** How the figures came about, as data: the same numbers that the calculation uses, so that nobody has to believe it. */
export function energyFormula(hours: Hours, factors: EnergyFactors): readonly FormulaStep[] {
  const kWh = energyKWh(hours, factors);
  const measured = (name: string, value: number, unit: string): FormulaInput => ({
    name,
    value: round(value),
    unit,
    source: 'measured',
  });
  const configured = (name: string, value: number, unit: string, key: string): FormulaInput => ({
    name,
    value,
    unit,
    source: `config.insights.${key}`,
  });
  return [
    {
      id: 'energyKWh',
      label: 'Energy',
      expression:
        '(coreHoursAmd64 × wattsAmd64 + coreHoursArm64 × wattsArm64 + memoryGBHours × wattsPerGB) × pue ÷ 1000',
      inputs: [
        measured('coreHoursAmd64', hours.amd64, 'core·h'),
        configured('wattsAmd64', factors.cpuWattsPerVCPU.amd64, 'W', 'cpuWattsPerVCPU.amd64'),
        measured('coreHoursArm64', hours.arm64, 'core·h'),
        configured('wattsArm64', factors.cpuWattsPerVCPU.arm64, 'W', 'cpuWattsPerVCPU.arm64'),
        measured('memoryGBHours', hours.memory, 'GiB·h'),
        configured('wattsPerGB', factors.memoryWattsPerGB, 'W', 'memoryWattsPerGB'),
        configured('pue', factors.pue, '', 'pue'),
      ],
      result: { value: round(kWh), unit: 'kWh' },
    },
    {
      id: 'co2eGrams',
      label: 'CO2e',
      expression: 'energyKWh × gridIntensity',
      inputs: [
        { name: 'energyKWh', value: round(kWh), unit: 'kWh', source: 'measured' },
        configured('gridIntensity', factors.gridIntensityGCO2ePerKWh, 'g/kWh', 'gridIntensityGCO2ePerKWh'),
      ],
      result: { value: round(co2eGrams(kWh, factors)), unit: 'g' },
    },
  ];
}

export function round(value: number): number {
  return Number(value.toFixed(4));
}
